import type { Deadline } from "../../http/limits/deadline.ts";
import type { Encoding } from "../../http/replies/encoding.ts";
import { createViewerPage, type Page, type PageForm } from "../../http/replies/page.ts";
import type { ViewerReplies, ViewerReply } from "../../http/replies/reply-loaders.ts";
import type { EntryCounts } from "../cache-metrics.ts";
import { absentToken, shownState } from "../tokens/absent-token.ts";
import { viewerKey } from "../tokens/list-tokens.ts";
import type { TokenList } from "../tokens/token-lists.ts";
import type { Join } from "./cached-entries.ts";
import type { ReadCache } from "./cached-read.ts";
import { JoinedPage } from "./joined-page.ts";
import type { ViewerEntries, ViewerEntry } from "./viewer-entries.ts";
import { findViewer, forLastViewer } from "./viewer-read.ts";

/** What all lookups of one operation share. */
export interface ViewerLookups {
  entries: ViewerEntries;
  join: Join;
  cache: ReadCache;
  counts: Pick<EntryCounts, "process">;
}

/** Prepares a lookup of several users for viewers. Like that of anonymous callers it is made of entries: only those that are missing are loaded. */
export function viewerLookup(lookups: ViewerLookups, nameKeys: readonly string[]): ViewerReplies {
  return forLastViewer((viewerId) => new ViewerLookup(lookups, nameKeys, viewerId));
}

class ViewerLookup implements ViewerReply {
  readonly viewerId: string;
  readonly states: TokenList;
  readonly #lookups: ViewerLookups;
  readonly #nameKeys: readonly string[];
  readonly #joined: JoinedPage;
  /** The keys of the entries that were shown last, and the tokens that were read for them. */
  #last: { tokens: readonly string[]; keys: readonly string[] } | undefined;

  constructor(lookups: ViewerLookups, nameKeys: readonly string[], viewerId: string) {
    this.viewerId = viewerId;
    this.states = lookups.cache.tokensOf([viewerKey(viewerId), ...nameKeys]);
    this.#lookups = lookups;
    this.#nameKeys = nameKeys;
    this.#joined = new JoinedPage(lookups.entries.joined);
  }

  find(tokens: readonly string[], form: PageForm): Page | undefined {
    return tokens === this.#last?.tokens ? this.#pageOf(this.#last.keys, form) : undefined;
  }

  async load(
    encoding: Encoding,
    deadline: Deadline,
    asked: readonly string[] | Promise<readonly string[]> = this.states.read(deadline),
  ): Promise<Page> {
    const tokens = await asked;
    const shown = this.find(tokens, encoding);
    if (shown !== undefined) return shown;
    const [own = "", ...given] = tokens;
    const { entries, cache, counts, join } = this.#lookups;
    const isKnown = own !== "" && own !== absentToken;
    const viewer = isKnown ? await findViewer(this.viewerId, own, cache, deadline) : undefined;
    const states = given.map(shownState);
    const keys = viewer === undefined ? states.map(() => undefined) : entries.keysOf(states, viewer);
    if (keys.every((key) => key !== undefined)) {
      const page = this.#pageOf(keys, encoding);
      if (page !== undefined) {
        counts.process.hit.value += keys.length;
        this.#last = { tokens, keys };
        return page;
      }
    }
    const found = keys.map((key) => (key === undefined ? undefined : entries.find(key)));
    const missing = states.flatMap((state, index) =>
      state === absentToken || found[index] !== undefined ? [] : [index],
    );
    counts.process.hit.value += states.length - missing.length;
    counts.process.miss.value += missing.length;
    const loaded = await this.#load(missing, deadline);
    // A copy: the joined page has `keys`, and finds what it made of them by the same array.
    const shownKeys = [...keys];
    for (const [at, index] of missing.entries()) {
      const entry = loaded[at] as ViewerEntry;
      found[index] = entry.json;
      shownKeys[index] = entry.json === undefined ? absentToken : viewer && entries.store(entry, viewer);
    }
    const list = join(found.flatMap((json) => (json === undefined ? [] : [json.bytes])));
    if (viewer === undefined || !shownKeys.every((key) => key !== undefined)) {
      return cache.pages.viewerContents.uncached(list.whole());
    }
    this.#last = { tokens, keys: shownKeys };
    if (encoding === "identity") return createViewerPage(list, encoding, this.#joined.stateOf(shownKeys));
    return cache.pages.viewerContents.storeAs(this.#joined.stateOf(shownKeys), list.whole(), encoding);
  }

  #pageOf(keys: readonly string[], form: PageForm): Page | undefined {
    if (form === "identity") return this.#joined.find(keys);
    return this.#lookups.cache.pages.viewerContents.find(this.#joined.stateOf(keys), form);
  }

  /** Loads the entries of some of the names. */
  async #load(indexes: readonly number[], deadline: Deadline): Promise<readonly ViewerEntry[]> {
    if (indexes.length === 0) return [];
    const names = indexes.map((index) => this.#nameKeys[index] as string);
    return this.#lookups.entries.load(this.viewerId, names, deadline);
  }
}
