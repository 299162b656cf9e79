/** When the sun sets over Kittiwick on the UTC day of `ms`, in milliseconds since 1970, within a few minutes. */
export function sunsetOn(ms: number): number {
  const midnight = Math.floor(ms / day) * day;
  const angle = 2 * Math.PI * (((midnight - Date.UTC(2000, 0, 1)) / day / 365.2425) % 1);
  // The tilt of the Earth's axis through the year, and the sun's lead over the clock (equation of time, minutes).
  const declination = -0.4091 * Math.cos(angle + 0.172);
  const b = angle - 1.393;
  const lead = 9.87 * Math.sin(2 * b) - 7.53 * Math.cos(b) - 1.5 * Math.sin(b);
  const noon = 12 * hour - (longitude / 15) * hour - lead * minute;
  const cosine =
    (Math.sin(horizon) - Math.sin(latitude) * Math.sin(declination)) / (Math.cos(latitude) * Math.cos(declination));
  return midnight + noon + (Math.acos(cosine) / Math.PI) * 12 * hour;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const latitude = (56.1284 / 180) * Math.PI;
const longitude = 1.2147;
// The sun's upper rim, bent by the air: 50 minutes of arc below the level.
const horizon = (-0.833 / 180) * Math.PI;
