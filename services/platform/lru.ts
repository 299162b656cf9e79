import { LRUCache } from "lru-cache";

/**
 * A cache of at most `maxEntries`, which evicts the least recently used entry. It allocates memory as it fills: `max` of the library would
 * allocate all at once (300,000 entries: 5 MB and 34 ms of a start).
 * @param ttlMs milliseconds for which an entry is stored; undefined for no limit
 */
export function createLru<V extends NonNullable<unknown>>(maxEntries: number, ttlMs?: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ...(ttlMs !== undefined && { ttl: ttlMs }) });
}

/**
 * A copy of a text without lone surrogates, for a key that a cache stores for longer than the request: V8's part of a text, 13 characters
 * or more, keeps the whole text in memory, such as a body of 1 MiB for each stored name.
 */
export function copyText(part: string): string {
  return Buffer.from(part).toString();
}
