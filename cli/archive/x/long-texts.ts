import { type Slot, StatusSpool } from "../../import/status-spool.ts";
import { isObject, type JsonObject, parseObject, textOrNone } from "../../json/json.ts";

/**
 * The long texts of an archive. X cuts a long tweet in tweets.js and keeps its text in note-tweet.js, under another id:
 * what joins the two is the second in which both were made, and how they begin. They lie in a temporary file.
 */
export class LongTexts {
  readonly #spool = new StatusSpool();
  /** By second since 1970. */
  readonly #slots = new Map<number, Slot[]>();
  #size = 0;

  /** How many have not been taken. */
  get size(): number {
    return this.#size;
  }

  /** Keeps an element of note-tweet.js; one that cannot be read is ignored, since its tweet is there without it. */
  add(element: JsonObject): void {
    const note = isObject(element.noteTweet) ? element.noteTweet : element;
    const second = Math.floor(Date.parse(textOrNone(note.createdAt)) / 1_000);
    if (!isObject(note.core) || typeof note.core.text !== "string" || Number.isNaN(second)) return;
    const core = Buffer.from(JSON.stringify(note.core));
    if (core.length > maxCoreBytes) return;
    this.#slots.set(second, [...(this.#slots.get(second) ?? []), this.#spool.add(core)]);
    this.#size++;
  }

  /** The long text that a tweet of this second cuts off, once. */
  take(ms: number, cutText: string): JsonObject | undefined {
    const second = Math.floor(ms / 1_000);
    for (const near of [second, second - 1, second + 1]) {
      const slots = this.#slots.get(near) ?? [];
      for (const [index, slot] of slots.entries()) {
        const core = parseObject(Buffer.from(this.#spool.read(slot)).toString());
        if (!begins(core.text as string, cutText)) continue;
        slots.splice(index, 1);
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

/** Whether a long text begins as the cut one does: without the names of a reply, and without the mark of the cut. */
function begins(long: string, cut: string): boolean {
  const start = comparable(cut.replace(/(?:\s*https:\/\/t\.co\/\w+)?\s*$/, "").replace(/…\s*$/, ""));
  return start !== "" && comparable(long).startsWith(start);
}

function comparable(text: string): string {
  const plain = text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  return plain
    .replace(/^(?:@\w+\s+)+/, "")
    .replace(/\s+/g, " ")
    .trim();
}
