import { LRUCache } from "lru-cache";

/**
 * A cache of at most `maxEntries`, which evicts the least recently used entry. It allocates memory as it fills: `max` of the library would
 * allocate all at once (300,000 entries: 5 MB and 34 ms of a start).
 * @param ttlMs milliseconds for which an entry is stored; undefined for no limit
 */
export function createLru<V extends NonNullable<unknown>>(maxEntries: number, ttlMs?: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ...(ttlMs !== undefined && { ttl: ttlMs }) });
}
