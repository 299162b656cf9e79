/** The ids of a stream's authors, sorted. As numbers, which ids fit into (docs/design.md §4): a bigint takes three times the memory. */
export type AuthorIds = Float64Array;

export function authorIdsOf(ids: readonly bigint[]): AuthorIds {
  return Float64Array.from(ids, Number).sort();
}

/** Whether an id is among them, in a few steps. */
export function hasAuthor(ids: AuthorIds, id: number): boolean {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id;
}

/** The ids with some more. */
export function withAuthors(ids: AuthorIds, more: readonly bigint[]): AuthorIds {
  const missing = new Set(more.map(Number).filter((id) => !hasAuthor(ids, id)));
  return missing.size === 0 ? ids : Float64Array.from([...ids, ...missing]).sort();
}
