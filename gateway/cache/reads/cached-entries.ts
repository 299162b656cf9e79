import { LRUCache } from "lru-cache";
import type { Deadline } from "../../http/limits/deadline.ts";
import { type Page, type PageContent, type PageForm, plainPage } from "../../http/replies/page.ts";
import type { AnonymousLoaders, LoadPage } from "../../http/replies/reply-loaders.ts";
import type { JsonList } from "../../rendering/assembled-bytes.ts";
import type { Ask } from "../batches/batcher.ts";
import type { EntryCounts } from "../cache-metrics.ts";
import type { Pages } from "../pages/page-cache.ts";
import type { Viewer } from "../pages/viewer-part.ts";
import { absentToken, shownState } from "../tokens/absent-token.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import { areEqual } from "../tokens/token-lists.ts";
import type { FindPage, LocalPage, ReadCache } from "./cached-read.ts";
import { digestOf, JoinedPage, type JoinedSource } from "./joined-page.ts";
import type { EntryJson } from "./load-entries.ts";
import type { ViewerEntries } from "./viewer-entries.ts";

/** Entries in this process by key: the token of their user, for viewers with their relations (viewer-entries.ts). */
export type EntryCache = LRUCache<string, EntryJson>;

/** @param maxBytes of all entries */
export function createEntryCache(maxBytes: number): EntryCache {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }, key) => bytes.length + 2 * key.length + 150 });
}

/** The entries of these keys, joined without copying them; undefined where one is not in this process. */
export function joinEntries(keys: readonly string[], entries: EntryCache, join: Join): JsonList | undefined {
  const found: Buffer[] = [];
  for (const key of keys) {
    if (key === absentToken) continue;
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    found.push(entry.bytes);
  }
  return join(found);
}

/** Caches the entries of one operation by their users' tokens, and makes the pages of its lookups of them. Its reads reject with ConnectError. */
export function cachedEntries(
  operation: string,
  load: Ask<EntryJson | undefined>,
  join: Join,
  entries: EntryCache,
  viewerEntries: ViewerEntries,
  { tokensOf, pages, viewerPages }: ReadCache,
  counts: Pick<EntryCounts, "process">,
): { loaders(nameKeys: readonly string[]): AnonymousLoaders; localPage(nameKeys: readonly string[]): LocalPage } {
  const joined: JoinedSource = {
    entriesOf: (keys) => joinEntries(keys, entries, join),
    pageOf: (bytes, state) => plainPage({ bytes, state }),
    prefix: "",
  };

  /** In the order of the names; undefined for an unknown name, also of a user who was deleted since the token was read. */
  async function entriesFor(nameKeys: readonly string[], tokens: readonly FreshnessToken[], deadline: Deadline) {
    const found = tokens.map((token) => (token === absentToken ? undefined : entries.get(token)));
    const missing = nameKeys.filter((_, index) => found[index] === undefined && tokens[index] !== absentToken);
    counts.process.hit.value += nameKeys.length - missing.length;
    counts.process.miss.value += missing.length;
    const loaded = await load(missing, deadline);
    for (const entry of loaded) if (entry !== undefined) entries.set(entry.token, entry);
    const made = new Map(missing.map((key, index) => [key, loaded[index]]));
    return nameKeys.map((key, index) => found[index] ?? made.get(key));
  }

  /** The page of one lookup: of a request, or of a batch's item. */
  class EntriesPage implements LocalPage {
    readonly subjectKeys: readonly string[];
    readonly #pages: Pages;
    readonly #joined = new JoinedPage(joined);
    #given: readonly FreshnessToken[] = [];
    /** The states that `#given` show. */
    #shown: readonly FreshnessToken[] = [];

    constructor(nameKeys: readonly string[]) {
      this.subjectKeys = nameKeys;
      this.#pages = pages.of(`${operation}:${digestOf(nameKeys)}`, nameKeys.length === 1);
    }

    find(given: readonly FreshnessToken[], form: PageForm = "identity"): Page | undefined {
      const shown = this.#shownIn(given);
      if (!this.#isMadeOfEntries(form)) return this.#pages.find(this.#joined.stateOf(shown), form);
      const page = this.#joined.find(shown);
      if (page !== undefined) counts.process.hit.value += shown.length;
      return page;
    }

    forViewer(viewer: Viewer, tokens: readonly FreshnessToken[]): FindPage | undefined {
      const states = tokens.map(shownState);
      if (states.length === 1) return viewerPages.local(`${operation}:`, states, viewer);
      const keys = viewerEntries.keysOf(states, viewer);
      if (!keys.every((key) => key !== undefined)) return undefined;
      const page = new JoinedPage(viewerEntries.joined);
      return () => page.find(keys);
    }

    get(given: readonly FreshnessToken[], form: PageForm, deadline: Deadline): Page | Promise<Page> {
      const shown = this.#shownIn(given);
      const load = async () => contentOf(await entriesFor(this.subjectKeys, shown, deadline), join);
      if (this.#isMadeOfEntries(form)) return this.find(given) ?? load().then(plainPage);
      return this.#pages.get(this.#joined.stateOf(shown), form, async () => {
        const { bytes, state } = await load();
        return { bytes: bytes.whole(), state };
      });
    }

    #isMadeOfEntries(form: PageForm): boolean {
      return form === "identity" && this.subjectKeys.length > 1;
    }

    /** The same array for equal tokens. */
    #shownIn(given: readonly FreshnessToken[]): readonly FreshnessToken[] {
      if (!areEqual(this.#given, given)) this.#shown = given.map(shownState);
      // Also where they are equal: the next call gives the same array in most cases.
      this.#given = given;
      return this.#shown;
    }
  }

  return {
    localPage: (nameKeys) => new EntriesPage(nameKeys),
    loaders(nameKeys) {
      const page = new EntriesPage(nameKeys);
      const states = tokensOf(nameKeys);
      const load: LoadPage = async (form, deadline, given) =>
        page.get(given ?? (await states.read(deadline)), form, deadline);
      return { load, local: { states, find: (given, form) => page.find(given, form) } };
    },
  };
}

/** Makes a page of entries, without copying them. */
export type Join = (entries: readonly Buffer[]) => JsonList;

/** The page of these entries, with their state. */
export function contentOf(entries: readonly (EntryJson | undefined)[], join: Join): PageContent<JsonList> {
  const found = entries.filter((entry) => entry !== undefined);
  const state = digestOf(entries.map((entry) => entry?.token ?? absentToken));
  return { bytes: join(found.map(({ bytes }) => bytes)), state };
}
