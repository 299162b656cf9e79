/**
 * Where a freshness token is kept, by the name key of its user: the one thing that readers and writers share (design §5).
 * The braces keep it and its lease in one slot of a Redis Cluster.
 */
export function freshnessKey(nameKey: string): string {
  return `fresh:{${nameKey}}`;
}
