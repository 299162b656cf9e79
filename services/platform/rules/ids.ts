/** Whether a number can be an id: positive, and at most what JavaScript reads exactly (design §4). */
export function isId(id: bigint): boolean {
  return id > 0n && id < 2n ** 53n;
}

/** Whether a text can be an id at an origin: 1 to 100 visible ASCII characters. */
export function isOriginId(text: string): boolean {
  return /^[\u0021-\u007e]{1,100}$/.test(text);
}

/** The time from which the milliseconds of ids count (design §4); nothing was created before. */
export const idEpoch = Date.UTC(2006, 0, 1);

/** When an id was made, in milliseconds since 1970. */
export function timeOfId(id: bigint): number {
  return Number(id >> timeShift) + idEpoch;
}

/** So many milliseconds, as a distance of ids. */
export function idDistance(milliseconds: number): bigint {
  return BigInt(milliseconds) << timeShift;
}

/** Below the milliseconds are node and sequence. */
const timeShift = 12n;

/**
 * The id that a status had at a system like this one, if its original id can be one: it contains the time of the status (design
 * §4), or a time up to a day later, where the author's clock had been set back. So an export that is imported again keeps its ids
 * and its order. Twitter's ids do not qualify: those below 2^53 contain other times, except for a few minutes in November 2010 in
 * which both kinds contain the same time.
 */
export function ownId(originId: string, createdAt: Date, now = Date.now()): bigint | undefined {
  if (!/^[1-9]\d{12,15}$/.test(originId)) return undefined;
  const id = BigInt(originId);
  const milliseconds = timeOfId(id);
  // Dates in files have whole seconds.
  const second = Math.floor(createdAt.getTime() / 1_000) * 1_000;
  const fits = milliseconds >= second && milliseconds < second + day && milliseconds < now + 1_000;
  return fits && id < 2n ** 53n ? id : undefined;
}

const day = 86_400_000;
