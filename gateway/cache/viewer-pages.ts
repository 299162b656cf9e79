import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createViewerPage, type Page } from "../http/replies/page.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import { createLoadOnce } from "./load-once.ts";

/** A reply as the service made it for a viewer. */
export interface ViewerContent {
  bytes: Buffer;
  /** The states that it shows, the viewer's first; undefined where that cannot be told. */
  tokens: readonly FreshnessToken[] | undefined;
}

/** Caches replies to viewers by the states that they show: the viewer's, and those of the authors. In this process only. */
export interface ViewerPages {
  /**
   * The reply of one request in these states. When it is not cached `load` is called, mostly once for all that wait; what it
   * gives is cached under the states that it shows. Rejects as `load` does.
   * @param thing what is asked for, without the users
   */
  page(thing: string, tokens: readonly FreshnessToken[], load: () => Promise<ViewerContent>): Page | Promise<Page>;
  /** A reply that is not cached. */
  uncached(content: ViewerContent): Page;
}

/**
 * Most viewers see the same of an author's page: they follow, and marked nothing on it. So each page is cached once, by its
 * content, however many viewers it is for.
 * @param maxBytes of all that is cached
 */
export function createViewerPages(maxBytes: number): ViewerPages {
  const pages = new LRUCache<string, Page>({
    maxSize: Math.ceil(maxBytes / 2),
    // Beside its bytes a page has its headers and its key.
    sizeCalculation: ({ bytes }) => bytes.length + 1_500,
  });
  /** The tags of pages, by what is asked for in which states. */
  const tags = new LRUCache<string, string>({
    maxSize: Math.ceil(maxBytes / 2),
    sizeCalculation: (_tag, key) => 2 * key.length + 250,
  });
  const loadOnce = createLoadOnce<Page>();

  function uncached({ bytes }: ViewerContent): Page {
    const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
    const held = pages.get(tag);
    return held ?? createViewerPage(bytes, tag);
  }

  async function load(thing: string, loadContent: () => Promise<ViewerContent>): Promise<Page> {
    const content = await loadContent();
    const page = uncached(content);
    if (content.tokens !== undefined) {
      const tag = page.etag.slice(1, -1);
      pages.set(tag, page);
      tags.set(keyOf(thing, content.tokens), tag);
    }
    return page;
  }

  return {
    page(thing, tokens, loadContent) {
      const key = keyOf(thing, tokens);
      const tag = tags.get(key);
      const page = tag === undefined ? undefined : pages.get(tag);
      return page ?? loadOnce(key, () => load(thing, loadContent));
    },
    uncached,
  };
}

function keyOf(thing: string, tokens: readonly FreshnessToken[]): string {
  const states = tokens.join(" ");
  // A lookup of many users: their tokens are longer than what is stored for them.
  const short = tokens.length > 4 ? createHash("sha256").update(states).digest("base64url") : states;
  return `${thing} ${short}`;
}
