import { type Encoding, encode } from "../../http/replies/encoding.ts";
import { shortDigest } from "../../http/replies/entity-tag.ts";
import { createViewerPage, type Page, type PageForm, pageKeyPrefix } from "../../http/replies/page.ts";
import { wholeBytes } from "../../rendering/assembled-bytes.ts";
import { fromStored, type StoredBytes } from "../../rendering/compact-json.ts";
import { createLoadOnce } from "../batches/load-once.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import type { PageStorage } from "./page-storage.ts";

/** Replies to viewers, each by the digest of its plain bytes, which is the name of its state, and in each encoding that clients ask for. */
export interface ViewerContents {
  /** The reply of this name, if it is in this process. */
  find(name: string, form: PageForm): Page | undefined;
  /** The reply of this name, if its plain bytes are here or in Redis. Counts the miss in this process, once for callers who share a load. Never rejects. */
  fetch(name: string, encoding: Encoding): Promise<Page | undefined>;
  /**
   * Caches a reply in this encoding only.
   * @param isPublic whether every signed-in user may see it: only such replies are stored in Redis, as plain bytes, at their first hit
   */
  store(bytes: StoredBytes, isPublic: boolean, encoding: Encoding): Promise<Page>;
  /** The same for a reply that has another name than the digest of its bytes. */
  storeAs(name: string, bytes: StoredBytes, encoding: Encoding): Promise<Page>;
  /** The page of a reply that is not to be cached. */
  uncached(bytes: StoredBytes): Page;
}

export function createViewerContents(
  pages: PageStorage,
  counts: Pick<CacheCounts["pages"], "made" | "process">,
): ViewerContents {
  const loadOnce = createLoadOnce<Page>();

  async function store(bytes: StoredBytes, name: string, isPublic: boolean, encoding: Encoding): Promise<Page> {
    const key = keyOf(name, encoding);
    const stored = pages.findUncounted(key);
    if (stored !== undefined) return stored;
    return loadOnce(key, async () => {
      const made = await encode(bytes, encoding);
      const toRedis = isPublic && encoding === "identity" ? "onNextHit" : "never";
      return pages.store(key, createViewerPage(made.bytes, made.encoding, name), toRedis);
    });
  }

  return {
    find: (name, form) => pages.find(keyOf(name, form)),
    async fetch(name, encoding) {
      counts.process.miss.value++;
      const plainKey = keyOf(name, "identity");
      const local = pages.findUncounted(plainKey);
      if (local !== undefined) return store(local.bytes, name, false, encoding);
      const fetched = await pages.fetch(plainKey);
      const bytes = fetched && fromStored(fetched);
      // The name is their digest, which finds damaged bytes.
      if (bytes === undefined || nameOf(bytes) !== name) return undefined;
      return store(bytes, name, false, encoding);
    },
    store(bytes, isPublic, encoding) {
      counts.made.value++;
      return store(bytes, nameOf(bytes), isPublic, encoding);
    },
    storeAs: (name, bytes, encoding) => store(bytes, name, false, encoding),
    uncached: (bytes) => createViewerPage(bytes, "identity", nameOf(bytes)),
  };
}

/** The key of a reply among all pages. */
function keyOf(name: string, form: PageForm): string {
  return `${pageKeyPrefix}viewer:${form}:${name}`;
}

/** The same as the tag of a reply that is not cached. */
function nameOf(bytes: StoredBytes): string {
  return shortDigest(wholeBytes(bytes));
}
