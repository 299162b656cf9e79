/** Whether this is the long form, `npm test -- --long`, which a person runs before a release. */
export const isLong = process.env.TEST_LONG !== undefined;

/** How often something random is tried: a sample in every run, many times that in the long form. */
export function times(short: number, long: number): number {
  return isLong ? long : short;
}
