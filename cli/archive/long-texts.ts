import { hash } from "node:crypto";
import { type Slot, StatusSpool } from "../import/status-spool.ts";
import { isObject, type JsonObject, parseJson, textOrNone } from "../json/json.ts";
import { ArchiveFault } from "./archive.ts";
import { limits } from "./limits.ts";

/**
 * The long texts of an archive. X truncates a long tweet in tweets.js and writes its text to note-tweet.js, under another id.
 * The two are matched by the second of their creation and by how they begin. The texts are in a temporary file; about 200 bytes
 * for each stay in memory.
 */
export class LongTexts {
  readonly #spool = new StatusSpool();
  /** By second and beginning. */
  readonly #notes = new Map<number, readonly LongText[]>();
  readonly #max: number;
  #added = 0;
  #taken = 0;

  /** @param max another limit, for tests. */
  constructor(max: number = limits.longTexts) {
    this.#max = max;
  }

  /** How many texts are left. */
  get size(): number {
    return this.#added - this.#taken;
  }

  /**
   * Stores an element of note-tweet.js. An unreadable one is ignored: its tweet is imported with the truncated text.
   * @throws ArchiveFault for too many.
   */
  add(element: JsonObject): void {
    const note = isObject(element.noteTweet) ? element.noteTweet : element;
    const second = secondOf(Date.parse(textOrNone(note.createdAt)));
    if (!isObject(note.core) || typeof note.core.text !== "string" || Number.isNaN(second)) return;
    const core = Buffer.from(JSON.stringify(note.core));
    if (core.length > maxCoreBytes) return;
    const key = keyOf(second, comparable(note.core.text, beginningLength));
    const alike = this.#notes.get(key) ?? [];
    // No user writes that many in a second.
    if (alike.length === maxAlike) return;
    if (++this.#added > this.#max) throw new ArchiveFault(`it holds more than ${this.#max} long texts`);
    const { offset, length } = this.#spool.add(core);
    const text: LongText = { offset, length, id: Number(textOrNone(note.noteTweetId)) || 0, taker: "" };
    // A list that push or a spread makes has room for 17.
    this.#notes.set(key, alike.concat(text));
  }

  /**
   * Takes the long text of a tweet, which no other tweet gets then. Of several that begin alike it is the one with the nearest id:
   * both ids contain the millisecond in which they were given.
   * @param ms when the tweet was created
   * @returns undefined also where the tweet has all of the text
   */
  take(id: string, ms: number, text: string): JsonObject | undefined {
    const { start, isCut } = startOf(text);
    if (this.#added === 0 || start.length < (isCut ? minTruncated : 1)) return undefined;
    const second = secondOf(ms);
    const distance = (note: LongText) => Math.abs(note.id - Number(id));
    const alike = [second, second - 1, second + 1]
      .flatMap((near) => this.#notes.get(keyOf(near, start)) ?? [])
      // An archive may hold a tweet twice.
      .filter(({ taker }) => taker === "" || taker === id)
      .sort((a, b) => distance(a) - distance(b));
    for (const note of alike.slice(0, maxReads)) {
      const core = parseJson(Buffer.from(this.#spool.read(note)).toString()) as JsonObject;
      const whole = comparable(core.text as string);
      if (isCut ? !whole.startsWith(start) : whole !== start) continue;
      if (note.taker === "") this.#taken++;
      note.taker = id;
      return isCut ? core : undefined;
    }
    return undefined;
  }

  close(): void {
    this.#spool.close();
  }
}

// The spool holds this much in memory; X's limit is 25,000 characters.
const maxCoreBytes = 1024 * 1024;

interface LongText extends Slot {
  /** The id at X, rounded to a double; 0 where there is none. */
  id: number;
  /** The id of the tweet that has taken it, or "". */
  taker: string;
}

/** Texts of one second that begin alike. */
const maxAlike = 50;

/** Texts with the same beginning that are read for one tweet. */
const maxReads = 3;

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** 48 bits of a digest. */
function keyOf(second: number, text: string): number {
  return hash("sha256", `${second} ${text.slice(0, beginningLength)}`, "buffer").readUIntBE(0, 6);
}

/** Characters. X leaves more than a hundred of a truncated text: a shorter tweet was written with its ellipsis. */
const minTruncated = 20;
const beginningLength = minTruncated;

/**
 * The beginning of the long text that a tweet may have: without the links that follow it, and without the ellipsis with which X ends a
 * truncated text. "" where the tweet can have none.
 */
function startOf(text: string): { start: string; isCut: boolean } {
  // X truncates at 280. The expression would take long on a text of blanks.
  if (text.length > maxTruncated) return { start: "", isCut: false };
  const [, cut] = /^(.*)…(?:\s*https:\/\/t\.co\/\w+)*\s*$/s.exec(text) ?? [];
  return { start: comparable(cut ?? text), isCut: cut !== undefined };
}

const maxTruncated = 1_000;

/**
 * The beginning of a text without the names at the start of a reply. Links have other addresses in a tweet than in its long text.
 * @param length how many characters are needed
 */
function comparable(text: string, length = maxTruncated): string {
  const plain = text
    .slice(0, 4 * maxTruncated)
    .replace(/^(?:@\w+\s+)+/, "")
    .slice(0, 8 * length)
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  return plain
    .replace(/https:\/\/t\.co\/\w+/g, "https://t.co/")
    .replace(/\s+/g, " ")
    .trim();
}
