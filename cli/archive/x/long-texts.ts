import { type Slot, StatusSpool } from "../../import/status-spool.ts";
import { isObject, type JsonObject, parseObject, textOrNone } from "../../json/json.ts";

/**
 * The long texts of an archive. X truncates a long tweet in tweets.js and writes its text to note-tweet.js, under another id.
 * The two are matched by the second of their creation and by how they begin. The texts are in a temporary file.
 */
export class LongTexts {
  readonly #spool = new StatusSpool();
  /** By second since 1970. */
  readonly #slots = new Map<number, Slot[]>();
  #size = 0;

  /** How many were not taken yet. */
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
    this.#slots.set(second, [...(this.#slots.get(second) ?? []), this.#spool.add(core)]);
    this.#size++;
  }

  /** Removes and returns the long text of a truncated tweet. @param ms when the tweet was created */
  take(ms: number, truncated: string): JsonObject | undefined {
    const second = Math.floor(ms / 1_000);
    for (const near of [second, second - 1, second + 1]) {
      const slots = this.#slots.get(near) ?? [];
      for (const [index, slot] of slots.entries()) {
        const core = parseObject(Buffer.from(this.#spool.read(slot)).toString());
        if (!begins(core.text as string, truncated)) continue;
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

/** Whether a long text begins like the truncated one, apart from the names at the start of a reply and the final ellipsis. */
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
