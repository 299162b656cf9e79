import { LRUCache } from "lru-cache";
import { asBytes, type RedisConnection } from "../../../services/platform/redis/connection.ts";
import type { Page } from "../../http/replies/page.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import { ownBytes } from "./own-bytes.ts";
import { createRecentBytes } from "./recent-bytes.ts";

/** Pages by key: in this process, and in the Redis that all processes share, if there is one. Both are bounded in bytes. */
export interface PageStorage {
  /** The page of a key in this process; counts a hit. One that is to be shared once it is asked for again is stored in Redis now. */
  find(key: string): Page | undefined;
  /** The same, for a caller who makes something else of it: counts no hit and shares nothing. */
  use(key: string): Page | undefined;
  /** The bytes of a key in Redis. Never rejects. */
  fetch(key: string): Promise<Buffer | undefined>;
  /**
   * Stores a page in this process.
   * @param share when it is also stored in Redis: at once, when it is found again, or never
   */
  store(key: string, page: Page, share: "now" | "again" | "never"): Page;
  /** Stores bytes in Redis only. No caller waits for it. */
  share(key: string, bytes: Buffer): void;
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
    sizeCalculation: (page, key) => page.bytes.length + 2 * key.length + 1_500,
  });
  const sharedBytes = createRecentBytes(maxBytes, storedSeconds * 1_000);

  function share(key: string, bytes: Buffer): void {
    if (!redis?.isUsable() || !sharedBytes.add(key.length + bytes.length + redisOverhead)) return;
    // A Redis that is full can still be read.
    redis
      .background(({ commands }) => commands.set(key, bytes, { expiration: { type: "EX", value: storedSeconds } }))
      .catch(() => {});
  }

  return {
    find(key) {
      const page = pages.get(key);
      if (page === undefined) return undefined;
      if (page.isUnshared) {
        page.isUnshared = false;
        share(key, page.bytes);
      }
      counts.process.hit.value++;
      return page;
    },
    use: (key) => pages.get(key),
    async fetch(key) {
      if (!redis?.isUsable()) return undefined;
      const bytes = await redis.run((commands) => asBytes(commands).get(key)).catch(() => null);
      counts.redis[bytes === null ? "miss" : "hit"].value++;
      return bytes === null ? undefined : (bytes as Buffer);
    },
    store(key, page, sharing) {
      const stored = Object.assign(page, { bytes: ownBytes(page.bytes), isUnshared: sharing === "again" });
      pages.set(key, stored);
      if (sharing === "now") share(key, stored.bytes);
      return stored;
    },
    share,
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
