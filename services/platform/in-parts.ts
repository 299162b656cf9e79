/** Cuts a list into parts of at most so many items, in order; an empty one into none. */
export function inParts<T>(items: readonly T[], most: number): T[][] {
  const count = Math.ceil(items.length / most);
  return Array.from({ length: count }, (_, index) => items.slice(index * most, (index + 1) * most));
}
