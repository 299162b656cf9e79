import { LRUCache } from "lru-cache";
import { asBytes, type RedisConnection } from "../../services/platform/redis/connection.ts";
import { compress, compressedFrom, type Encoding } from "../http/replies/encoding.ts";
import { createPage, type Page, type PageContent } from "../http/replies/page.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import { createRecentBytes } from "./recent-bytes.ts";

/**
 * Keeps pages by the state that they show, so that nothing ever has to be taken away: a changed user has another state.
 * The latest used stand in this process, bounded in bytes, and those that others will want in Redis for a while, where there is
 * one, bounded likewise (docs/decisions/bounded-requests.md).
 */
export interface PageStore {
  /**
   * The pages of one thing.
   * @param isUsual whether all who read it ask for the same; other pages come into Redis when they are asked for again
   */
  of(thing: string, isUsual?: boolean): Pages;
}

/**
 * The page of one state. Where it is not kept `load` is called, mostly once for all that wait; it may come back with a later
 * state, which is kept as that. Rejects as `load` does.
 */
export type Pages = (state: string, encoding: Encoding, load: () => Promise<PageContent>) => Page | Promise<Page>;

/**
 * @param maxBytes how much may be kept in this process
 * @param redis where pages are kept for all processes
 */
export function createPageStore(
  maxBytes: number,
  redis: RedisConnection | undefined,
  counts: CacheCounts["pages"],
): PageStore {
  const pages = new LRUCache<string, StoredPage>({
    maxSize: maxBytes,
    // Beside its bytes a page has its headers and its key.
    sizeCalculation: (page, key) => page.bytes.length + 2 * key.length + 1_500,
  });
  const loading = new Map<string, Promise<Page>>();
  const stored = createRecentBytes(maxBytes, storedSeconds * 1_000);

  function of(thing: string, isUsual = true): Pages {
    // Most requests want what the last one wanted, and to make a key costs more than to find what is under it.
    let last: { state: string; encoding: Encoding; key: string } | undefined;
    return (state, encoding, load) => {
      if (state !== last?.state || encoding !== last.encoding) {
        last = { state, encoding, key: keyOf(thing, state, encoding) };
      }
      const page = pages.get(last.key);
      if (page === undefined) return findOnce(last.key, thing, state, encoding, load, isUsual);
      counts.process.hit.value++;
      if (page.isAlone) share(last.key, page);
      return page;
    };
  }

  function findOnce(
    key: string,
    thing: string,
    state: string,
    encoding: Encoding,
    load: () => Promise<PageContent>,
    isUsual: boolean,
  ): Promise<Page> {
    counts.process.miss.value++;
    let promise = loading.get(key);
    if (promise === undefined) {
      const forget = () => void (loading.get(key) === promise && loading.delete(key));
      const stalled = setTimeout(forget, stalledMs);
      promise = find(key, thing, state, encoding, load, isUsual).finally(() => {
        clearTimeout(stalled);
        forget();
      });
      loading.set(key, promise);
    }
    return promise;
  }

  async function find(
    key: string,
    thing: string,
    state: string,
    encoding: Encoding,
    load: () => Promise<PageContent>,
    isUsual: boolean,
  ): Promise<Page> {
    const bytes = await fetch(key);
    if (bytes !== undefined) return keep(key, createPage(bytes, encoding, state), false);
    counts.made.value++;
    const { bytes: plain, state: shown } = await load();
    // Not kept beside the compressed bytes, which are a tenth of them: who asks for these seldom asks for those.
    if (encoding === "identity")
      return made(keyOf(thing, shown, encoding), createPage(plain, encoding, shown), isUsual);
    // Too short to be worth it: sent plain, and not told to the others, who could not know that it is.
    if (plain.length < compressedFrom) {
      return keep(keyOf(thing, shown, encoding), createPage(plain, "identity", shown), false);
    }
    const compressed = createPage(await compress(plain, encoding), encoding, shown);
    return made(keyOf(thing, shown, encoding), compressed, isUsual);
  }

  function keep(key: string, page: Page, isAlone: boolean): StoredPage {
    const storedPage = Object.assign(page, { isAlone });
    pages.set(key, storedPage);
    return storedPage;
  }

  function made(key: string, page: Page, isUsual: boolean): Page {
    const kept = keep(key, page, redis !== undefined);
    if (isUsual && kept.isAlone) share(key, kept);
    return kept;
  }

  function share(key: string, page: StoredPage): void {
    page.isAlone = false;
    if (!redis?.isUsable() || !stored.add(key.length + page.bytes.length + redisOverhead)) return;
    redis
      .run((commands) => commands.set(key, page.bytes, { expiration: { type: "EX", value: storedSeconds } }))
      .catch(() => {});
  }

  async function fetch(key: string): Promise<Buffer | undefined> {
    if (!redis?.isUsable()) return undefined;
    const bytes = await redis.run((commands) => asBytes(commands).get(key)).catch(() => null);
    counts.redis[bytes === null ? "miss" : "hit"].value++;
    return bytes === null ? undefined : (bytes as Buffer);
  }

  return { of };
}

/** Milliseconds after which a page that is being loaded is loaded again for those who come then: its service may hang. */
const stalledMs = 250;

interface StoredPage extends Page {
  /** Whether it was made here and is not in Redis yet. */
  isAlone: boolean;
}

/** Seconds for which a page stays in Redis. */
const storedSeconds = 600;

/** Bytes that Redis needs for a key beside its name and value. */
const redisOverhead = 150;

/** To be raised when the same state is rendered as other bytes: processes of two versions may share one Redis. */
const rendering = 1;

function keyOf(thing: string, state: string, encoding: Encoding): string {
  return `page:${rendering}:${encoding}:${state}:${thing}`;
}
