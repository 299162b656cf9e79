/**
 * The freshness token of a session: whose it is. A session never changes its user and never comes back, so there is nothing
 * to count. In the form of all tokens, by which a gateway compares two states.
 */
export function sessionToken(userId: bigint): string {
  return `${userId}.0.0.0`;
}
