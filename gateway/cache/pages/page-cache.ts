import type { RedisConnection } from "../../../services/platform/redis/connection.ts";
import { encode } from "../../http/replies/encoding.ts";
import {
  createPage,
  createScript,
  type Page,
  type PageContent,
  type PageForm,
  pageKeyPrefix,
} from "../../http/replies/page.ts";
import { fromStored, type StoredBytes } from "../../rendering/compact-json.ts";
import { createLoadOnce } from "../batches/load-once.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import { createPageStorage } from "./page-storage.ts";
import { createViewerContents, type ViewerContents } from "./viewer-contents.ts";

/**
 * Caches pages by the state that they show. Nothing has to be invalidated: a changed user has another state. The most
 * recently used pages are in this process; pages that other processes will ask for are also in Redis, if there is one. Both are
 * bounded in bytes (docs/decisions/bounded-requests.md).
 */
export interface PageCache {
  /**
   * The pages of one kind.
   * @param resource names what is asked for, without its user
   * @param isCommon whether most callers ask for this page; other pages are stored in Redis at their first hit
   */
  of(resource: string, isCommon?: boolean): Pages;
  viewerContents: ViewerContents;
}

/** The pages of one kind. Each served target has one of these, so it stores little. */
export interface Pages {
  /**
   * The page of one state. When it is not cached `load` is called, mostly once for all callers that wait; it may give a page of a
   * later state, which is then cached under that state. Rejects as `load` does.
   */
  get(state: string, form: PageForm, load: () => Promise<PageContent>): Page | Promise<Page>;
  /** The page of a state, if it is in this process. Counts no miss: the load that follows does. */
  find(state: string, form: PageForm): Page | undefined;
}

/**
 * @param maxBytes how much may be cached in this process
 * @param redis the cache that all processes share
 */
export function createPageCache(
  maxBytes: number,
  redis: RedisConnection | undefined,
  counts: CacheCounts["pages"],
): PageCache {
  const pages = createPageStorage(maxBytes, redis, counts);
  const loadOnce = createLoadOnce<Page>();

  class PagesOfResource implements Pages {
    readonly #resource: string;
    readonly #isCommon: boolean;
    // Most requests ask for the same page as the one before, and making the key costs more than the look-up.
    #state: string | undefined;
    #form: PageForm = "identity";
    #key = "";

    constructor(resource: string, isCommon: boolean) {
      this.#resource = resource;
      this.#isCommon = isCommon;
    }

    get(state: string, form: PageForm, load: () => Promise<PageContent>): Page | Promise<Page> {
      const key = this.#keyIn(state, form);
      const page = pages.find(key);
      if (page !== undefined) return page;
      counts.process.miss.value++;
      if (form === "script") return loadOnce(key, () => makeScript(this.#resource, state, load, this.#isCommon));
      return loadOnce(key, () => find(key, this.#resource, state, form, load, this.#isCommon));
    }

    find(state: string, form: PageForm): Page | undefined {
      return pages.find(this.#keyIn(state, form));
    }

    #keyIn(state: string, form: PageForm): string {
      if (state !== this.#state || form !== this.#form) {
        this.#state = state;
        this.#form = form;
        this.#key = keyOf(this.#resource, state, form);
      }
      return this.#key;
    }
  }

  /** Stores only the script in this process, not the plain page: clients rarely ask for both. Redis has the plain page, for all forms. */
  async function makeScript(
    resource: string,
    state: string,
    load: () => Promise<PageContent>,
    isCommon: boolean,
  ): Promise<Page> {
    const plainKey = keyOf(resource, state, "identity");
    const plainBytes = pages.findUncounted(plainKey)?.bytes ?? (await fetchPlain(plainKey));
    if (plainBytes !== undefined)
      return pages.store(keyOf(resource, state, "script"), createScript({ bytes: plainBytes, state }), "never");
    counts.made.value++;
    const plain = await load();
    if (isCommon) pages.storeInRedis(keyOf(resource, plain.state, "identity"), plain.bytes);
    return pages.store(keyOf(resource, plain.state, "script"), createScript(plain), "never");
  }

  async function fetchPlain(key: string): Promise<StoredBytes | undefined> {
    const stored = await pages.fetch(key);
    return stored && fromStored(stored);
  }

  async function find(
    key: string,
    resource: string,
    state: string,
    encoding: Exclude<PageForm, "script">,
    load: () => Promise<PageContent>,
    isCommon: boolean,
  ): Promise<Page> {
    const bytes = encoding === "identity" ? await fetchPlain(key) : await pages.fetch(key);
    if (bytes !== undefined) return pages.store(key, createPage(bytes, encoding, state), "never");
    counts.made.value++;
    const { bytes: plain, state: shown } = await load();
    const shownKey = keyOf(resource, shown, encoding);
    const toRedis = isCommon ? "now" : "onNextHit";
    // Only the encoding that was asked for is cached: plain bytes are ten times the compressed ones, and clients rarely ask for both.
    const made = await encode(plain, encoding);
    // What is too short to be compressed is not stored in Redis: under this key other processes expect compressed bytes.
    const isAsAsked = made.encoding === encoding;
    return pages.store(shownKey, createPage(made.bytes, made.encoding, shown), isAsAsked ? toRedis : "never");
  }

  return {
    of: (resource, isCommon = true) => new PagesOfResource(resource, isCommon),
    viewerContents: createViewerContents(pages, counts),
  };
}

function keyOf(resource: string, state: string, form: PageForm): string {
  return `${pageKeyPrefix}${form}:${state}:${resource}`;
}
