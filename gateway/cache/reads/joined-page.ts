import { shortDigest } from "../../http/replies/entity-tag.ts";
import type { Page } from "../../http/replies/page.ts";
import type { JsonList } from "../../rendering/assembled-bytes.ts";

/** Of what the lookups of one operation are made, for one kind of callers. */
export interface JoinedSource {
  /** The entries of these keys, joined; undefined where one is not in this process. */
  entriesOf(keys: readonly string[]): JsonList | undefined;
  /** The page of a state. */
  pageOf(bytes: JsonList, state: string): Page;
  /** What the names of states begin with. */
  prefix: string;
}

/**
 * The page of one lookup of several users in plain bytes, made of their entries each time, so that users who are in many lookups are stored
 * once. The fast path stores one for each target.
 */
export class JoinedPage {
  readonly #source: JoinedSource;
  #keys: readonly string[] = [];
  /** The name of all keys together. */
  #state = "";
  /** The page without its bytes. */
  #frame: Omit<Page, "bytes"> | undefined;
  /** Its bytes since the last collection of garbage: entries that the cache has evicted must not stay in memory. */
  #body: WeakRef<JsonList> | undefined;

  constructor(source: JoinedSource) {
    this.#source = source;
  }

  /** The page of these keys; the same array for the same keys costs least. */
  find(keys: readonly string[]): Page | undefined {
    this.#note(keys);
    const bytes = this.#body?.deref() ?? this.#join();
    if (bytes === undefined) return undefined;
    if (this.#frame === undefined) {
      const { bytes: _, ...frame } = this.#source.pageOf(bytes, this.#state);
      this.#frame = frame;
    }
    return { ...this.#frame, bytes };
  }

  stateOf(keys: readonly string[]): string {
    this.#note(keys);
    return this.#state;
  }

  #join(): JsonList | undefined {
    const bytes = this.#source.entriesOf(this.#keys);
    this.#body = bytes && new WeakRef(bytes);
    return bytes;
  }

  #note(keys: readonly string[]): void {
    if (this.#state !== "" && this.#keys === keys) return;
    this.#keys = keys;
    this.#state = this.#source.prefix + digestOf(keys);
    this.#body = undefined;
    this.#frame = undefined;
  }
}

/** A short name for a list of words. */
export function digestOf(words: readonly string[]): string {
  return shortDigest(words.join(" "));
}
