/**
 * An id in the form of Twitter's: milliseconds since 2010-11-04T01:42:54.657Z above 22 bits, as decimal text.
 * @param sequence 0 to 2^22-1; tells ids of one millisecond apart.
 */
export function snowflake(ms: number, sequence: number): string {
  return ((BigInt(ms - twitterEpoch) << 22n) | BigInt(sequence)).toString();
}

const twitterEpoch = 1_288_834_974_657;
