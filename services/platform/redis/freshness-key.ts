/** Where a freshness token is kept, by the name key of its user: the one thing that readers and writers share (design §5). */
export function freshnessKey(nameKey: string): string {
  return `fresh:${nameKey}`;
}
