/** Whether this is the long form, `npm test -- --long`, which is run before a release. */
export const isLong = process.env.TEST_LONG !== undefined;

/** How often something random is tried: a few times in every run, many times in the long form. */
export function times(short: number, long: number): number {
  return isLong ? long : short;
}
