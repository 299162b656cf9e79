/** Splits a list into lists of at most `size` items, in order; an empty list into none. */
export function chunk<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Splits a list into lists of at most `maxItems` items that have at most `maxSize` together, in order; an item that is larger is a list alone. */
export function chunkBySize<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  maxItems: number,
  maxSize: number,
): T[][] {
  const lists: T[][] = [];
  let list: T[] = [];
  let listSize = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (lists.length === 0 || list.length >= maxItems || listSize + size > maxSize) {
      list = [];
      lists.push(list);
      listSize = 0;
    }
    list.push(item);
    listSize += size;
  }
  return lists;
}
