import { LRUCache } from "lru-cache";
import { asBytes, type RedisConnection } from "../../../services/platform/redis/connection.ts";
import type { Page } from "../../http/replies/page.ts";
import { CompactJson, type StoredBytes, toStored } from "../../rendering/compact-json.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import { ownBytes } from "./own-bytes.ts";
import { createRecentBytes } from "./recent-bytes.ts";

/** Pages by key: in this process, and in the Redis that all processes share, if there is one. Both are bounded in bytes. */
export interface PageStorage {
  /** The page of a key in this process; counts a hit. A page that was stored with "onNextHit" is now stored in Redis. */
  find(key: string): Page<StoredBytes> | undefined;
  /** The same for a caller who only needs its bytes: counts no hit, and stores nothing in Redis. */
  findUncounted(key: string): Page<StoredBytes> | undefined;
  /** The bytes of a key in Redis. Never rejects. */
  fetch(key: string): Promise<Buffer | undefined>;
  /**
   * Stores a page in this process.
   * @param toRedis when it is also stored in Redis
   */
  store(key: string, page: Page<StoredBytes>, toRedis: "now" | "onNextHit" | "never"): Page<StoredBytes>;
  /** Stores bytes in Redis only. No caller waits for it. */
  storeInRedis(key: string, bytes: StoredBytes): void;
}

/** @param maxBytes of all pages in this process, and of those that it stores in Redis within a page's lifetime there */
export function createPageStorage(
  maxBytes: number,
  redis: RedisConnection | undefined,
  counts: CacheCounts["pages"],
): PageStorage {
  const pages = new LRUCache<string, StoredPage>({
    maxSize: maxBytes,
    // Beside its bytes a page has its headers and its key.
    sizeCalculation: (page, key) => toStored(page.bytes).length + 2 * key.length + 1_500,
  });
  const redisBytes = createRecentBytes(maxBytes, storedSeconds * 1_000);

  function storeInRedis(key: string, bytes: StoredBytes): void {
    const stored = toStored(bytes);
    if (!redis?.isUsable() || !redisBytes.add(key.length + stored.length + redisOverhead)) return;
    // A Redis that is full can still be read.
    redis
      .background((commands) => commands.set(key, stored, { expiration: { type: "EX", value: storedSeconds } }))
      .catch(() => {});
  }

  return {
    find(key) {
      const page = pages.get(key);
      if (page === undefined) return undefined;
      if (page.isForRedis) {
        page.isForRedis = false;
        storeInRedis(key, page.bytes);
      }
      counts.process.hit.value++;
      return page;
    },
    findUncounted: (key) => pages.get(key),
    async fetch(key) {
      if (!redis?.isUsable()) return undefined;
      const bytes = await redis.run((commands) => asBytes(commands).get(key)).catch(() => null);
      counts.redis[bytes === null ? "miss" : "hit"].value++;
      return bytes === null ? undefined : ownBytes(bytes as Buffer);
    },
    store(key, page, toRedis) {
      const { bytes } = page;
      const own = bytes instanceof CompactJson ? bytes : ownBytes(bytes);
      const stored = Object.assign(page, { bytes: own, isForRedis: toRedis === "onNextHit" });
      pages.set(key, stored);
      if (toRedis === "now") storeInRedis(key, stored.bytes);
      return stored;
    },
    storeInRedis,
  };
}

interface StoredPage extends Page<StoredBytes> {
  /** Whether the next hit stores it in Redis. */
  isForRedis: boolean;
}

/** Seconds for which a page stays in Redis. */
const storedSeconds = 600;

/** Bytes that Redis needs for a key beside its name and value. */
const redisOverhead = 150;
