import { createHash } from "node:crypto";
import { createViewerPage, layout, type Page, rendering } from "../../http/replies/page.ts";
import { wholeBytes } from "../../rendering/assembled-bytes.ts";
import { fromStored, type StoredBytes } from "../../rendering/compact-json.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import type { PageStorage } from "./page-storage.ts";

/** Replies to viewers, each once by the digest of its bytes, which is the name of its state. */
export interface ViewerContents {
  /** The reply of this name, if it is in this process. */
  find(name: string): Page | undefined;
  /** The reply of this name, if it is in Redis. Counts the miss in this process, once for callers who share a load. Never rejects. */
  fetch(name: string): Promise<Page | undefined>;
  /**
   * Caches a reply.
   * @param isPublic whether every signed-in user may see it: only such replies are stored in Redis, at their first hit
   */
  store(bytes: StoredBytes, isPublic: boolean): Page;
  /** The page of a reply that is not to be cached. */
  uncached(bytes: StoredBytes): Page;
}

export function createViewerContents(
  pages: PageStorage,
  counts: Pick<CacheCounts["pages"], "made" | "process">,
): ViewerContents {
  return {
    find: (name) => pages.find(keyOf(name)),
    async fetch(name) {
      counts.process.miss.value++;
      const stored = await pages.fetch(keyOf(name));
      const bytes = stored && fromStored(stored);
      // The name is their digest, which finds damaged bytes.
      if (bytes === undefined || nameOf(bytes) !== name) return undefined;
      return pages.store(keyOf(name), createViewerPage(bytes, name), "never");
    },
    store(bytes, isPublic) {
      counts.made.value++;
      const name = nameOf(bytes);
      const page = pages.findUncounted(keyOf(name));
      return page ?? pages.store(keyOf(name), createViewerPage(bytes, name), isPublic ? "onNextHit" : "never");
    },
    uncached: (bytes) => createViewerPage(bytes, nameOf(bytes)),
  };
}

/** The key of a reply among all pages. */
function keyOf(name: string): string {
  return `page:${layout}:${rendering}:viewer:${name}`;
}

/** The same as the tag of a reply that is not cached. */
function nameOf(bytes: StoredBytes): string {
  return createHash("sha256").update(wholeBytes(bytes)).digest("base64url").slice(0, 22);
}
