import { LRUCache } from "lru-cache";

/**
 * A cache of at most `maxEntries`, which forgets the entry that was not used for the longest time. It takes its memory as it fills:
 * `max` of the library would take it at once (300,000 entries: 5 MB and 34 ms of a start).
 * @param ttlMs milliseconds for which an entry is known; undefined for no limit
 */
export function createLru<V extends NonNullable<unknown>>(maxEntries: number, ttlMs?: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ...(ttlMs !== undefined && { ttl: ttlMs }) });
}
