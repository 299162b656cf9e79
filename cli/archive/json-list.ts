import { ArchiveFault } from "./fault.ts";
import { limits } from "./limits.ts";

/** Where the list is: X assigns it to a variable; an ActivityStreams collection has it under a name. */
export type ListPlace = { assigned: true } | { under: string };

/**
 * Cuts the list of a JSON document into its elements, as text. One element is held at a time, and none is looked into:
 * what is inside is for JSON.parse. Everything outside the list is passed over; nothing is ever run.
 * @throws ArchiveFault when the document is broken, cut off, nested too deeply, or holds an element that is too large.
 */
export async function* readElements(chunks: AsyncIterable<Uint8Array>, place: ListPlace): AsyncGenerator<string> {
  const cutter = new ListCutter("assigned" in place ? undefined : place.under);
  let prefix = "assigned" in place ? "" : undefined;
  for await (let chunk of chunks) {
    if (prefix !== undefined) {
      const start = chunk.indexOf(openList);
      prefix += Buffer.from(chunk.subarray(0, start < 0 ? longestPrefix + 1 : start)).toString("latin1");
      if (prefix.length > longestPrefix || (start >= 0 && !assignment.test(prefix))) throw new ArchiveFault(notYtd);
      if (start < 0) continue;
      chunk = chunk.subarray(start);
      prefix = undefined;
    }
    yield* cutter.take(chunk);
  }
  if (prefix !== undefined) throw new ArchiveFault(prefix === "" ? "it is empty" : notYtd);
  cutter.end();
}

const longestPrefix = 200;
const assignment = /^(?:\xef\xbb\xbf)?\s*window\.YTD\.\w+\.part\d+\s*=\s*$/;
const notYtd = "it does not start as X's files do, with window.YTD.… = [";

/** Follows one document byte by byte: brackets and strings outside the elements, and where each element ends. */
class ListCutter {
  readonly #name: string | undefined;
  readonly #open = new Uint8Array(limits.depth);
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The depth inside the list; 0 before it, infinite behind it. */
  #list = 0;
  #closed = false;
  #expected: "element or end" | "element" | "comma or end" = "element or end";
  #count = 0;
  /** Of the element that is open: what came in earlier chunks. */
  #parts: Uint8Array[] = [];
  #size = 0;
  #inElement = false;
  /** The last string outside the list, by which a list may go. */
  #word = "";

  constructor(name: string | undefined) {
    this.#name = name;
  }

  *take(chunk: Uint8Array): Generator<string> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) at = this.#passString(chunk, at);
      const byte = chunk[at];
      if (byte === undefined || byte <= blank) continue;
      if (this.#list > 0 && this.#depth === this.#list) {
        if (byte === comma || byte === closeList) {
          if (this.#inElement) yield this.#cut(chunk.subarray(start, at));
          this.#separate(byte);
        } else if (!this.#inElement) {
          if (this.#expected === "comma or end") throw this.#fault("a comma is missing");
          this.#inElement = true;
          start = at;
        }
      }
      this.#step(byte);
    }
    if (this.#inElement) this.#keep(chunk.subarray(start));
  }

  end(): void {
    if (!this.#closed) throw new ArchiveFault("it is cut off");
    if (this.#count === 0 && this.#list === 0) throw new ArchiveFault(`it has no list ${this.#name}`);
  }

  /** Answers where the string goes on beyond the chunk, or the place behind its closing quote. */
  #passString(chunk: Uint8Array, from: number): number {
    const { length } = chunk;
    let at = from;
    let escaped = this.#escaped;
    for (; at < length; at++) {
      const byte = chunk[at];
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) break;
    }
    this.#escaped = escaped;
    this.#inString = at === length;
    if (this.#list === 0 && this.#word.length < 100) {
      this.#word += Buffer.from(chunk.subarray(from, Math.min(at, from + 100))).toString("latin1");
    }
    return Math.min(at + 1, length);
  }

  #step(byte: number): void {
    if (this.#closed && byte !== semicolon) throw this.#fault("something follows its end");
    if (byte === quote) {
      this.#inString = true;
      if (this.#list === 0) this.#word = "";
    } else if (byte === openList || byte === openObject) {
      if (this.#depth === limits.depth) throw this.#fault(`it is nested more than ${limits.depth} deep`);
      this.#open[this.#depth++] = byte;
      if (byte === openList && this.#list === 0 && this.#isTheList()) this.#list = this.#depth;
    } else if (byte === closeList || byte === closeObject) {
      // Both pairs of brackets are two apart.
      if (this.#depth === 0 || this.#open[this.#depth - 1] !== byte - 2) throw this.#fault("its brackets do not match");
      // The list has been read; another one of that name is passed over.
      if (this.#depth-- === this.#list) this.#list = Number.POSITIVE_INFINITY;
      this.#closed = this.#depth === 0;
    } else if (this.#depth === 0 && !this.#closed) throw this.#fault("it is no JSON");
  }

  #isTheList(): boolean {
    return this.#name === undefined ? this.#depth === 1 : this.#depth === 2 && this.#word === this.#name;
  }

  #separate(byte: number): void {
    const afterElement = this.#expected === "comma or end";
    if (byte === comma && !afterElement) throw this.#fault("a comma is in excess");
    if (byte === closeList && this.#expected === "element") throw this.#fault("a comma is in excess");
    this.#expected = byte === comma ? "element" : "element or end";
  }

  #cut(last: Uint8Array): string {
    this.#keep(last);
    const text = this.#text();
    this.#parts = [];
    this.#size = 0;
    this.#inElement = false;
    this.#expected = "comma or end";
    this.#count++;
    return text;
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > limits.itemBytes) throw this.#fault(`it is larger than ${limits.itemBytes} bytes`);
    this.#parts.push(part);
  }

  #text(): string {
    try {
      return this.#decoder.decode(this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts));
    } catch {
      throw this.#fault("it is not UTF-8");
    }
  }

  #fault(reason: string): ArchiveFault {
    return new ArchiveFault(`[${this.#count}] ${reason}`);
  }
}

const [quote, backslash, comma, semicolon, blank] = [0x22, 0x5c, 0x2c, 0x3b, 0x20];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
