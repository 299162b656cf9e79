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
