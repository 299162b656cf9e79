import { type Slot, StatusSpool } from "../../import/status-spool.ts";
import { isObject, type JsonObject, parseObject, textOrNone } from "../../json/json.ts";

/**
 * The long texts of an archive. X truncates a long tweet in tweets.js and writes its text to note-tweet.js, under another id.
 * The two are matched by the second of their creation and by how they begin. The texts are in a temporary file.
 */
export class LongTexts {
  readonly #spool = new StatusSpool();
  /** By second since 1970, each with the beginning of its text. */
  readonly #notes = new Map<number, { slot: Slot; beginning: string }[]>();
  #size = 0;

  /** How many texts are left. */
  get size(): number {
    return this.#size;
  }

  /** Stores an element of note-tweet.js. An unreadable one is ignored: its tweet is imported with the truncated text. */
  add(element: JsonObject): void {
    const note = isObject(element.noteTweet) ? element.noteTweet : element;
    const second = Math.floor(Date.parse(textOrNone(note.createdAt)) / 1_000);
    if (!isObject(note.core) || typeof note.core.text !== "string" || Number.isNaN(second)) return;
    const core = Buffer.from(JSON.stringify(note.core));
    if (core.length > maxCoreBytes) return;
    const notes = this.#notes.get(second) ?? [];
    // No user writes that many in a second.
    if (notes.length === maxOfSecond) return;
    this.#notes.set(second, notes);
    notes.push({ slot: this.#spool.add(core), beginning: comparable(note.core.text).slice(0, beginningLength) });
    this.#size++;
  }

  /** Removes and returns the long text of a truncated tweet. @param ms when the tweet was created */
  take(ms: number, truncated: string): JsonObject | undefined {
    const second = Math.floor(ms / 1_000);
    const start = startOf(truncated);
    let reads = 0;
    for (const near of [second, second - 1, second + 1]) {
      const notes = this.#notes.get(near) ?? [];
      for (const [index, { slot, beginning }] of notes.entries()) {
        if (start === "" || !beginning.startsWith(start.slice(0, beginningLength))) continue;
        if (++reads > maxReads) return undefined;
        const core = parseObject(Buffer.from(this.#spool.read(slot)).toString());
        if (!comparable(core.text as string).startsWith(start)) continue;
        notes.splice(index, 1);
        this.#size--;
        return core;
      }
    }
    return undefined;
  }

  close(): void {
    this.#spool.close();
  }
}

// The spool holds this much in memory; X's limit is 25,000 characters.
const maxCoreBytes = 1024 * 1024;

const maxOfSecond = 50;

/** Notes with the same beginning that are read for one tweet. */
const maxReads = 3;

/** Characters of a note that are compared before it is read. */
const beginningLength = 64;

/** The beginning of the long text, from the truncated one: without the link to itself and the final ellipsis; "" where it can have none. */
function startOf(truncated: string): string {
  // X truncates at 280. The expressions would take long on a text of blanks.
  if (truncated.length > maxTruncated) return "";
  return comparable(truncated.replace(/(?:\s*https:\/\/t\.co\/\w+)?\s*$/, "").replace(/…\s*$/, ""));
}

const maxTruncated = 1_000;

/** The beginning of a text without the names at the start of a reply. */
function comparable(text: string): string {
  const plain = text
    .slice(0, 4 * maxTruncated)
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  return plain
    .replace(/^(?:@\w+\s+)+/, "")
    .replace(/\s+/g, " ")
    .trim();
}
