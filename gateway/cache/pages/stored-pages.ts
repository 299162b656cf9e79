import { LRUCache } from "lru-cache";
import { asBytes, type RedisConnection } from "../../../services/platform/redis/connection.ts";
import type { Page } from "../../http/replies/page.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import { ownBytes } from "./own-bytes.ts";
import { createRecentBytes } from "./recent-bytes.ts";

/** Pages by key: in this process, and in the Redis that all processes share, if there is one. Both are bounded in bytes. */
export interface StoredPages {
  /** The page of a key in this process; counts a hit. One that is to be shared once it is asked for again is stored in Redis now. */
  find(key: string): Page | undefined;
  /** The page of a key in this process, without counting the look-up. */
  peek(key: string): Page | undefined;
  /** The bytes of a key in Redis. Never rejects. */
  fetch(key: string): Promise<Buffer | undefined>;
  /**
   * Stores a page in this process.
   * @param share when it is also stored in Redis: at once, when it is found again, or never
   */
  store(key: string, page: Page, share: "now" | "again" | "never"): Page;
}

/** @param maxBytes of all pages in this process, and of those that it stores in Redis within a page's lifetime there */
export function createStoredPages(
  maxBytes: number,
  redis: RedisConnection | undefined,
  counts: CacheCounts["pages"],
): StoredPages {
  const pages = new LRUCache<string, StoredPage>({
    maxSize: maxBytes,
    // Beside its bytes a page has its headers and its key.
    sizeCalculation: (page, key) => page.bytes.length + 2 * key.length + 1_500,
  });
  const sharedBytes = createRecentBytes(maxBytes, storedSeconds * 1_000);

  function share(key: string, page: StoredPage): void {
    page.isUnshared = false;
    if (!redis?.isUsable() || !sharedBytes.add(key.length + page.bytes.length + redisOverhead)) return;
    // No caller waits for it, and a Redis that is full can still be read.
    redis
      .background(({ commands }) => commands.set(key, page.bytes, { expiration: { type: "EX", value: storedSeconds } }))
      .catch(() => {});
  }

  return {
    find(key) {
      const page = pages.get(key);
      if (page === undefined) return undefined;
      if (page.isUnshared) share(key, page);
      counts.process.hit.value++;
      return page;
    },
    peek: (key) => pages.get(key),
    async fetch(key) {
      if (!redis?.isUsable()) return undefined;
      const bytes = await redis.run((commands) => asBytes(commands).get(key)).catch(() => null);
      counts.redis[bytes === null ? "miss" : "hit"].value++;
      return bytes === null ? undefined : (bytes as Buffer);
    },
    store(key, page, sharing) {
      const isUnshared = sharing !== "never" && redis !== undefined;
      const stored = Object.assign(page, { bytes: ownBytes(page.bytes), isUnshared });
      pages.set(key, stored);
      if (sharing === "now" && stored.isUnshared) share(key, stored);
      return stored;
    },
  };
}

interface StoredPage extends Page {
  /** Whether it is to be stored in Redis and is not yet. */
  isUnshared: boolean;
}

/** Seconds for which a page stays in Redis. */
const storedSeconds = 600;

/** Bytes that Redis needs for a key beside its name and value. */
const redisOverhead = 150;
