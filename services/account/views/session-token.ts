/**
 * The freshness token of a session names its user. A session never changes its user and never comes back, so the token needs no
 * counters. It has the form of all tokens, so that a gateway can compare two.
 */
export function sessionToken(userId: bigint): string {
  return `${userId}.0.0.0`;
}
