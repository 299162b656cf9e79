import { LRUCache } from "lru-cache";
import type { Encoding } from "../../http/replies/encoding.ts";
import { shortDigest } from "../../http/replies/entity-tag.ts";
import type { Page, PageForm } from "../../http/replies/page.ts";
import type { StoredBytes } from "../../rendering/compact-json.ts";
import { createLoadOnce } from "../batches/load-once.ts";
import { absentToken } from "../tokens/absent-token.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import type { ViewerContents } from "./viewer-contents.ts";
import { unlisted, type Viewer, viewerPart, viewerPartOf } from "./viewer-part.ts";

/** A reply as the service made it for a viewer. */
export interface ViewerContent {
  bytes: StoredBytes;
  /** What it shows; undefined where the service does not say. */
  shows:
    | {
        /** The state of the viewer. */
        own: FreshnessToken;
        /** The states of the authors. */
        states: readonly FreshnessToken[];
        /** The ids of all users whose relations to the viewer it shows; undefined where there are too many. */
        userIds: readonly string[] | undefined;
      }
    | undefined;
}

/** Caches replies to viewers by what they show: the states of the authors, and the viewer's relations to the users in them. */
export interface ViewerPages {
  /**
   * The reply of one request in these states. When it is not cached `load` is called, mostly once for all viewers who see the same;
   * the result is cached by what it shows. Rejects as `load` does.
   * @param resource what is asked for, without the users
   */
  page(
    resource: string,
    states: readonly FreshnessToken[],
    viewer: Viewer,
    encoding: Encoding,
    load: () => Promise<ViewerContent>,
  ): Page | Promise<Page>;
  /** Finds the same in plain bytes, if it is in this process; the result finds it again by its name. */
  local(resource: string, states: readonly FreshnessToken[], viewer: Viewer): (() => Page | undefined) | undefined;
  /** The page of this name (Page.state), if it is in this process. */
  find(name: string, form: PageForm): Page | undefined;
  /** A reply that is not cached, in plain bytes. */
  uncached(content: ViewerContent): Page;
}

/**
 * Viewers with the same relations to the users of a page see the same page: for example all without relations, or all who follow the
 * author and marked nothing. So a page is made once for each group of such viewers, and stored once by its content.
 * @param maxBytes of the names of pages, beside the pages themselves
 */
export function createViewerPages(contents: ViewerContents, maxBytes: number): ViewerPages {
  const views = createViews(maxBytes);
  const loadOnce = createLoadOnce<MadePage>();

  function localPage(key: string | undefined, encoding: Encoding): Page | undefined {
    const name = key === undefined ? undefined : views.nameOf(key);
    return name === undefined ? undefined : contents.find(name, encoding);
  }

  async function make({ resource, viewer, encoding, load }: PageCall): Promise<MadePage> {
    const { bytes, shows } = await load();
    if (shows === undefined) return { page: contents.uncached(bytes), requestKey: "", key: undefined };
    const requestKey = requestKeyOf(resource, shows.states);
    const part = viewerPartOf(shows.userIds, shows.own, viewer);
    const page = await contents.store(bytes, part === "", encoding);
    const key = `${requestKey}|${part}`;
    // Together: a caller who knew the users, but not the name, would load the page again.
    views.setShown(requestKey, shows.userIds);
    views.setName(key, page.state);
    return { page, requestKey, key };
  }

  /** @param sharedKey under which callers share a load */
  async function loadFor(sharedKey: string, requestKey: string, read: PageCall): Promise<Page> {
    const { viewer, encoding } = read;
    let isOwn = false;
    const first = loadOnce(`${encoding} ${sharedKey}`, async () => {
      isOwn = true;
      const name = views.nameOf(sharedKey);
      const fetched = name === undefined ? undefined : await contents.fetch(name, encoding);
      return fetched ? { page: fetched, requestKey, key: sharedKey } : make(read);
    });
    const made = await first.catch((error: unknown) => {
      if (isOwn) throw error;
      return undefined;
    });
    if (made !== undefined && isOwn) return made.page;
    // Another caller's load made it, for another viewer: it is used only if this viewer has the same key, in the states that it shows.
    if (made?.key !== undefined && made.key === views.keyOf(made.requestKey, viewer)) return made.page;
    const key = views.keyOf(requestKey, viewer);
    const page = localPage(key, encoding);
    if (page !== undefined) return page;
    return key === undefined || key === sharedKey ? (await make(read)).page : loadFor(key, requestKey, read);
  }

  return {
    page(resource, states, viewer, encoding, load) {
      const requestKey = requestKeyOf(resource, states);
      const key = views.keyOf(requestKey, viewer);
      const read = { resource, viewer, encoding, load };
      const local = localPage(key, encoding);
      if (local !== undefined) return local;
      // All unknown names and suspended users have the same state, so a load for one name must not answer a request for another.
      if (states.includes(absentToken)) return make(read).then(({ page }) => page);
      return loadFor(key ?? requestKey, requestKey, read);
    },
    local(resource, states, viewer) {
      const key = views.keyOf(requestKeyOf(resource, states), viewer);
      const name = key === undefined ? undefined : views.nameOf(key);
      return name === undefined ? undefined : () => contents.find(name, "identity");
    },
    find: contents.find,
    uncached: ({ bytes }) => contents.uncached(bytes),
  };
}

/** A page, and by what it is found. */
interface MadePage {
  page: Page;
  /** Names the request and the states that the page shows, which may be later than those that were asked for. */
  requestKey: string;
  /** With the viewer's relations; undefined where it is not cached. */
  key: string | undefined;
}

/** One call of ViewerPages.page. */
interface PageCall {
  resource: string;
  viewer: Viewer;
  encoding: Encoding;
  load: () => Promise<ViewerContent>;
}

/** Of the replies to one request in some states: which users they show, and the names of their pages. */
function createViews(maxBytes: number) {
  const half = { maxSize: Math.ceil(maxBytes / 2) };
  /** The names of pages, by what they show. */
  const names = new LRUCache<string, string>({ ...half, sizeCalculation: (_name, key) => 2 * key.length + 250 });
  /** The users whose relations to the viewer a page shows, by request and states. */
  const shown = new LRUCache<string, readonly string[]>({
    ...half,
    sizeCalculation: (ids, key) => 2 * key.length + 250 + 40 * ids.length,
  });
  return {
    /** Names a page; undefined while it is not known which users it shows. */
    keyOf(requestKey: string, viewer: Viewer): string | undefined {
      const part = viewerPart(shown.get(requestKey), viewer);
      return part === undefined ? undefined : `${requestKey}|${part}`;
    },
    nameOf: (key: string) => names.get(key),
    setName: (key: string, name: string) => void names.set(key, name),
    setShown: (requestKey: string, userIds: readonly string[] | undefined) =>
      void shown.set(requestKey, userIds ?? unlisted),
  };
}

/** Names a request and the states in which it is answered. */
function requestKeyOf(resource: string, tokens: readonly FreshnessToken[]): string {
  const states = tokens.join(" ");
  // A lookup of many users: their tokens are longer than what is stored for them.
  const short = tokens.length > 3 ? shortDigest(states) : states;
  return `${resource} ${short}`;
}
