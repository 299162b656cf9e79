/**
 * The Redis key of a user's freshness token, by name key; gateways and the social service share it (design §5). The braces
 * put it and its lease into one slot of a Redis Cluster.
 */
export function freshnessKey(nameKey: string): string {
  return `fresh:{${nameKey}}`;
}
