/** High water at the quay: when, in milliseconds since 1970, and how many metres above chart datum. */
interface HighWater {
  at: number;
  height: number;
}

/** The first high water from `ms` on: two in a lunar day, highest a day and a half after new and full moon. */
export function nextHighWater(ms: number): HighWater {
  const at = someHighWater + Math.ceil((ms - someHighWater) / period) * period;
  const sinceSpring = (at - someNewMoon - 1.5 * day) / (14.7653 * day);
  return { at, height: 4.1 + 0.8 * Math.cos(2 * Math.PI * sinceSpring) };
}

const day = 24 * 3_600_000;
/** Half a lunar day. */
const period = 12.4206 * 3_600_000;
const someHighWater = Date.UTC(2000, 0, 6, 3, 20);
const someNewMoon = Date.UTC(2000, 0, 6, 18, 14);
