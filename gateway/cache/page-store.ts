import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { asBytes, type RedisConnection } from "../../services/platform/redis/connection.ts";
import { compress, compressedFrom } from "../http/replies/encoding.ts";
import {
  createPage,
  createScript,
  createViewerPage,
  type Page,
  type PageContent,
  type PageForm,
} from "../http/replies/page.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import { createLoadOnce } from "./load-once.ts";
import { createRecentBytes } from "./recent-bytes.ts";

/**
 * Caches pages by the state that they show. Nothing has to be invalidated: a changed user has another state. The most
 * recently used are in this process, bounded in bytes; those that other processes will want are also in Redis, if there is
 * one, bounded likewise (docs/decisions/bounded-requests.md).
 */
export interface PageStore {
  /**
   * The pages of one kind.
   * @param thing names what is asked for, without its user
   * @param isCommon whether most callers ask for this page; other pages are stored in Redis once they are asked for again
   */
  of(thing: string, isCommon?: boolean): Pages;
  viewerContents: ViewerContents;
}

/** Replies to viewers, each once by the digest of its bytes, which is the name of its state. */
export interface ViewerContents {
  /** The reply of this name, if it is in this process. */
  find(name: string): Page | undefined;
  /** The reply of this name, if it is in Redis. Never rejects. */
  fetch(name: string): Promise<Page | undefined>;
  /**
   * Caches a reply.
   * @param isPublic whether every signed-in user may see it: only such replies are stored in Redis, once they are asked for again
   */
  store(bytes: Buffer, isPublic: boolean): Page;
  /** The page of a reply that is not to be cached. */
  uncached(bytes: Buffer): Page;
}

/**
 * The page of one state. When it is not cached `load` is called, mostly once for all that wait; it may give a later state,
 * and the page is then cached under that one. Rejects as `load` does.
 */
export type Pages = (state: string, form: PageForm, load: () => Promise<PageContent>) => Page | Promise<Page>;

/**
 * @param maxBytes how much may be cached in this process
 * @param redis the cache that all processes share
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
  const loadOnce = createLoadOnce<Page>();
  const sharedBytes = createRecentBytes(maxBytes, storedSeconds * 1_000);

  function of(thing: string, isCommon = true): Pages {
    // Most requests ask for the same page as the one before, and making the key costs more than the look-up.
    let last: { state: string; form: PageForm; key: string } | undefined;
    const pageOf: Pages = (state, form, load) => {
      if (state !== last?.state || form !== last.form) last = { state, form, key: keyOf(thing, state, form) };
      const page = pages.get(last.key);
      if (page === undefined) {
        counts.process.miss.value++;
        const { key } = last;
        if (form === "script") return loadOnce(key, async () => script(thing, await pageOf(state, "identity", load)));
        return loadOnce(key, () => find(key, thing, state, form, load, isCommon));
      }
      counts.process.hit.value++;
      if (page.isUnshared) share(last.key, page);
      return page;
    };
    return pageOf;
  }

  /** Not in Redis: it is made from the plain page, which is. */
  function script(thing: string, plain: Page): Page {
    return store(keyOf(thing, plain.state, "script"), createScript(plain), false);
  }

  async function find(
    key: string,
    thing: string,
    state: string,
    encoding: Exclude<PageForm, "script">,
    load: () => Promise<PageContent>,
    isCommon: boolean,
  ): Promise<Page> {
    const bytes = await fetch(key);
    if (bytes !== undefined) return store(key, createPage(bytes, encoding, state), false);
    counts.made.value++;
    const { bytes: plain, state: shown } = await load();
    // Only the encoding that was asked for is cached: plain bytes are ten times the compressed ones, and clients rarely mix them.
    if (encoding === "identity")
      return storeMade(keyOf(thing, shown, encoding), createPage(plain, encoding, shown), isCommon);
    // Too short to be worth compressing. Not shared: under this key other processes expect compressed bytes.
    if (plain.length < compressedFrom) {
      return store(keyOf(thing, shown, encoding), createPage(plain, "identity", shown), false);
    }
    const compressed = createPage(await compress(plain, encoding), encoding, shown);
    return storeMade(keyOf(thing, shown, encoding), compressed, isCommon);
  }

  function store(key: string, page: Page, isUnshared: boolean): StoredPage {
    const storedPage = Object.assign(page, { isUnshared });
    pages.set(key, storedPage);
    return storedPage;
  }

  function storeMade(key: string, page: Page, isCommon: boolean): Page {
    const stored = store(key, page, redis !== undefined);
    if (isCommon && stored.isUnshared) share(key, stored);
    return stored;
  }

  function share(key: string, page: StoredPage): void {
    page.isUnshared = false;
    if (!redis?.isUsable() || !sharedBytes.add(key.length + page.bytes.length + redisOverhead)) return;
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

  const viewerContents: ViewerContents = {
    find(name) {
      const page = pages.get(viewerKey(name));
      if (page?.isUnshared) share(viewerKey(name), page);
      counts.process[page === undefined ? "miss" : "hit"].value++;
      return page;
    },
    async fetch(name) {
      const bytes = await fetch(viewerKey(name));
      // The name is their digest, so that damaged bytes are found out.
      if (bytes === undefined || nameOf(bytes) !== name) return undefined;
      return store(viewerKey(name), createViewerPage(bytes, name), false);
    },
    store(bytes, isPublic) {
      counts.made.value++;
      const name = nameOf(bytes);
      const held = pages.get(viewerKey(name));
      return held ?? store(viewerKey(name), createViewerPage(bytes, name), isPublic && redis !== undefined);
    },
    uncached: (bytes) => createViewerPage(bytes, nameOf(bytes)),
  };

  return { of, viewerContents };
}

function nameOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
}

function viewerKey(name: string): string {
  return `page:${rendering}:viewer:${name}`;
}

interface StoredPage extends Page {
  /** Whether it was made here and is not in Redis yet. */
  isUnshared: boolean;
}

/** Seconds for which a page stays in Redis. */
const storedSeconds = 600;

/** Bytes that Redis needs for a key beside its name and value. */
const redisOverhead = 150;

/** To be raised when the same state is rendered as other bytes: processes of two releases may share one Redis. */
const rendering = 1;

function keyOf(thing: string, state: string, form: PageForm): string {
  return `page:${rendering}:${form}:${state}:${thing}`;
}
