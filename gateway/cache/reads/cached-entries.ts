import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { absentToken, shownState } from "../../../services/platform/freshness/absent-token.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import { type Page, type PageContent, type PageForm, plainPage } from "../../http/replies/page.ts";
import type { AnonymousLoaders, LoadPage } from "../../http/replies/reply-loaders.ts";
import type { JsonList } from "../../rendering/assembled-bytes.ts";
import type { Ask } from "../batches/batcher.ts";
import type { EntryCounts } from "../cache-metrics.ts";
import type { Pages } from "../pages/page-cache.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import { areEqual } from "../tokens/token-lists.ts";
import type { LocalPage, ReadCache } from "./cached-read.ts";
import type { Fragment } from "./load-entries.ts";

/** Caches the entries of one operation by their users' tokens, and makes the pages of its lookups of them. Its reads reject with ConnectError. */
export function cachedEntries(
  operation: string,
  load: Ask<Fragment | undefined>,
  join: Join,
  { tokensOf, pages, raiseTokens, entryBytes }: ReadCache,
  counts: Pick<EntryCounts, "process">,
): { loaders(nameKeys: readonly string[]): AnonymousLoaders; localPage(nameKeys: readonly string[]): LocalPage } {
  const fragments = new LRUCache<FreshnessToken, Fragment>({
    maxSize: entryBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 200,
  });

  const thing = `${operation}:`;

  /** The entries of the users who are known in these states; undefined where one is not in this process. */
  function localEntries(tokens: readonly FreshnessToken[]): Buffer[] | undefined {
    const found: Buffer[] = [];
    for (const token of tokens) {
      if (token === absentToken) continue;
      const fragment = fragments.get(token);
      if (fragment === undefined) return undefined;
      found.push(fragment.bytes);
    }
    return found;
  }

  /** In the order of the names; undefined for an unknown name, also of a user who was deleted since the token was read. */
  async function fragmentsOf(nameKeys: readonly string[], tokens: readonly FreshnessToken[], deadline: Deadline) {
    const found = tokens.map((token) => (token === absentToken ? undefined : fragments.get(token)));
    const missing = nameKeys.filter((_, index) => found[index] === undefined && tokens[index] !== absentToken);
    counts.process.hit.value += nameKeys.length - missing.length;
    counts.process.miss.value += missing.length;
    const loaded = await load(missing, deadline);
    for (const fragment of loaded) if (fragment !== undefined) fragments.set(fragment.token, fragment);
    const made = new Map(missing.map((key, index) => [key, loaded[index]]));
    const seen = nameKeys.map((subjectKey) => ({ subjectKey, token: made.get(subjectKey)?.token ?? absentToken }));
    const changed = seen.filter(({ subjectKey, token }, index) => made.has(subjectKey) && token !== tokens[index]);
    await raiseTokens(changed, deadline);
    return nameKeys.map((key, index) => found[index] ?? made.get(key));
  }

  /**
   * The page of one lookup: of a request, or of a batch's item. The fast path stores one for each target, or for each item. In plain bytes
   * the page of several users is made of their entries each time, so that users who are in many lookups are stored once.
   */
  class EntriesPage implements LocalPage {
    readonly subjectKeys: readonly string[];
    readonly thing = thing;
    readonly #pages: Pages;
    #given: readonly FreshnessToken[] | undefined;
    /** The states that `#given` show, and the name of all together. */
    #shown: readonly FreshnessToken[] = [];
    #state = "";
    /** The page in these states, without its bytes. */
    #frame: Omit<Page, "bytes"> | undefined;
    /** Its bytes since the last collection of garbage: entries that the cache has evicted must not stay in memory. */
    #body: WeakRef<JsonList> | undefined;

    constructor(nameKeys: readonly string[]) {
      this.subjectKeys = nameKeys;
      this.#pages = pages.of(`${operation}:${digest(nameKeys)}`, nameKeys.length === 1);
    }

    find(given: readonly FreshnessToken[], form: PageForm = "identity"): Page | undefined {
      this.#note(given);
      if (!this.#isMadeOfEntries(form)) return this.#pages.find(this.#state, form);
      const bytes = this.#body?.deref() ?? this.#join();
      if (bytes === undefined) return undefined;
      counts.process.hit.value += this.#shown.length;
      if (this.#frame === undefined) {
        const { bytes: _, ...frame } = plainPage({ bytes, state: this.#state });
        this.#frame = frame;
      }
      return { ...this.#frame, bytes };
    }

    #join(): JsonList | undefined {
      const entries = localEntries(this.#shown);
      if (entries === undefined) return undefined;
      const bytes = join(entries);
      this.#body = new WeakRef(bytes);
      return bytes;
    }

    get(given: readonly FreshnessToken[], form: PageForm, deadline: Deadline): Page | Promise<Page> {
      this.#note(given);
      const shown = this.#shown;
      const load = async () => contentOf(await fragmentsOf(this.subjectKeys, shown, deadline), join);
      if (this.#isMadeOfEntries(form)) return this.find(given) ?? load().then(plainPage);
      return this.#pages.get(this.#state, form, async () => {
        const { bytes, state } = await load();
        return { bytes: bytes.whole(), state };
      });
    }

    #isMadeOfEntries(form: PageForm): boolean {
      return form === "identity" && this.subjectKeys.length > 1;
    }

    #note(given: readonly FreshnessToken[]): void {
      if (this.#given !== undefined && areEqual(this.#given, given)) return;
      this.#given = given;
      this.#shown = given.map(shownState);
      this.#state = digest(this.#shown);
      this.#body = undefined;
      this.#frame = undefined;
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
export function contentOf(entries: readonly (Fragment | undefined)[], join: Join): PageContent<JsonList> {
  const found = entries.filter((entry) => entry !== undefined);
  const state = digest(entries.map((entry) => entry?.token ?? absentToken));
  return { bytes: join(found.map(({ bytes }) => bytes)), state };
}

/** A short name for a list of words. */
export function digest(words: readonly string[]): string {
  return createHash("sha256").update(words.join(" ")).digest("base64url").slice(0, 22);
}
