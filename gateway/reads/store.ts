import { LRUCache } from "lru-cache";
import { asBytes, type RedisConnection } from "../../services/platform/redis/connection.ts";
import type { PublicError } from "../http/errors/public-error.ts";
import { encode, type PageForm } from "../http/replies/encoding.ts";
import { createPage, type Page, rendering } from "../http/replies/page.ts";
import type { ReadCounts } from "./metrics.ts";

/**
 * Stored replies. A key names everything that its reply shows, versions included, so a reply never changes: it is evicted, and never
 * invalidated.
 */
export interface Store {
  /** The page in this process. */
  find(key: string, form: PageForm): Page | undefined;
  /** The refusal in this process, which is the same in every form. */
  findRefusal(key: string): PublicError | undefined;
  /** The page of a key that is in this process in another form, or in Redis. Never rejects. */
  fetch(key: string, form: PageForm, kind: PageKind): Promise<Page | undefined>;
  /** Makes the page of these plain bytes in the form, and stores it. */
  put(key: string, form: PageForm, kind: PageKind, plain: Buffer): Promise<Page>;
  /** Stores a refusal, in this process only. */
  refuse(key: string, error: PublicError): void;
}

/** "shared" is for every anonymous caller, and is stored in Redis too; "private" is for signed-in ones. */
export type PageKind = "shared" | "private";

/**
 * @param maxBytes of the pages in this process, and of those that it adds to Redis within a page's time there
 * @param redis undefined: pages are in this process only
 */
export function createStore(maxBytes: number, redis: RedisConnection | undefined, counts: ReadCounts["pages"]): Store {
  const stored = new LRUCache<string, Page | PublicError>({
    maxSize: maxBytes,
    // Beside its bytes a page has its headers and its key.
    sizeCalculation: (reply, key) => ("bytes" in reply ? reply.bytes.length : 500) + 2 * key.length + 1_500,
  });
  const mayAdd = createBudget(maxBytes);

  async function fetchPlain(key: string): Promise<Buffer | undefined> {
    if (!redis?.isUsable()) return undefined;
    const found = await redis.run((commands) => asBytes(commands).get(redisKey(key))).catch(() => null);
    counts.redis[found === null ? "miss" : "hit"].value++;
    return found === null ? undefined : (found as Buffer);
  }

  function addToRedis(key: string, plain: Buffer): void {
    if (!redis?.isUsable() || !mayAdd(key.length + plain.length + redisOverhead)) return;
    const expiration = { type: "EX" as const, value: redisSeconds };
    // No caller waits for it. A Redis that is full can still be read.
    redis.background((commands) => commands.set(redisKey(key), plain, { expiration })).catch(() => {});
  }

  /** Stores only the form that was asked for: plain bytes are ten times the compressed ones, and clients rarely ask for both. */
  async function keep(key: string, form: PageForm, kind: PageKind, plain: Buffer): Promise<Page> {
    const { bytes, form: made } = await encode(plain, form);
    const page = createPage(ownBytes(bytes), made, plain, kind === "private");
    stored.set(`${form} ${key}`, page);
    return page;
  }

  function find<T extends Page | PublicError>(key: string): T | undefined {
    const reply = stored.get(key) as T | undefined;
    if (reply !== undefined) counts.process.hit.value++;
    return reply;
  }

  return {
    find: (key, form) => find<Page>(`${form} ${key}`),
    findRefusal: (key) => find<PublicError>(`refusal ${key}`),
    async fetch(key, form, kind) {
      counts.process.miss.value++;
      const here = form === "identity" ? undefined : (stored.get(`identity ${key}`) as Page | undefined);
      const plain = here?.bytes ?? (kind === "shared" ? await fetchPlain(key) : undefined);
      return plain && keep(key, form, kind, plain);
    },
    put(key, form, kind, plain) {
      counts.made.value++;
      if (kind === "shared") addToRedis(key, plain);
      return keep(key, form, kind, plain);
    },
    refuse: (key, error) => void stored.set(`refusal ${key}`, error),
  };
}

/** Processes of two releases may use one Redis. */
function redisKey(key: string): string {
  return `page:${rendering}:${key}`;
}

/** Seconds for which a page stays in Redis. */
const redisSeconds = 600;

/** Bytes that Redis needs for a key beside its name and value. */
const redisOverhead = 150;

/**
 * Copies bytes that are a part of a larger buffer, which would stay in memory with them: zlib's output (16 KiB), a read from Redis
 * (64 KiB). The store counts only the bytes of its pages.
 */
function ownBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** Allows so many bytes within the time of a page in Redis. It is summed in slots of time, so that nothing is stored for a single page. */
function createBudget(maxBytes: number): (bytes: number) => boolean {
  const slotMs = (redisSeconds * 1_000) / slots;
  let recent: { slot: number; bytes: number }[] = [];
  return (bytes) => {
    const slot = Math.floor(performance.now() / slotMs);
    if (recent.at(-1)?.slot !== slot) {
      recent = recent.filter((one) => one.slot > slot - slots);
      recent.push({ slot, bytes: 0 });
    }
    if (recent.reduce((sum, one) => sum + one.bytes, bytes) > maxBytes) return false;
    (recent.at(-1) as { bytes: number }).bytes += bytes;
    return true;
  };
}

const slots = 60;
