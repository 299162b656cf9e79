import { Refusal, refusalReason } from "../errors.ts";
import { type Json, parseJson } from "./json.ts";

/** Lists and objects inside each other. */
export const maxDepth = 64;
/** Bytes of one element, such as a status or a conversation. */
export const maxElementBytes = 4 * 1024 ** 2;

/** One element of a list, not parsed yet. */
export interface Element {
  /** The name of the list in the file; empty when the file itself is the list, or the element. */
  list: string;
  /** Counted from 0 within the list. */
  index: number;
  text: string;
  /** Why it cannot be parsed, though the elements after it can. */
  fault?: string;
}

/** The value of an element. @throws Refusal for one that cannot be parsed */
export function parseElement({ text, fault }: Element): Json {
  if (fault !== undefined) throw new Refusal(fault);
  return parseJson(text);
}

/** The value of an element, undefined for one that cannot be parsed. */
export function readableElement(element: Element): Json | undefined {
  try {
    return parseElement(element);
  } catch (error) {
    refusalReason(error);
    return undefined;
  }
}

/** Where and why a file cannot be read any further. The elements before that place are valid. */
export class JsonFault extends Error {
  override name = "JsonFault";
  readonly reason: string;
  readonly path: string;

  /**
   * @param reason what is wrong, in words that follow a position.
   * @param path the position inside the file, such as "[17]"; empty outside the elements.
   */
  constructor(reason: string, path = "") {
    super(`${path}: ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}

/**
 * Cuts a JSON file into the elements of its list, or of the lists that are called one of `names` in its object; the rest
 * of the object is skipped. One element is a list of one: an object under such a name, or a file that is an object without any. A file of
 * lines has such an object in each. JSON.parse, which is faster than any tokenizer, does the parsing. The file may be hostile, so only
 * the elements of one chunk are in memory at a time, and their size and depth are limited before they are parsed.
 * @param assigned whether the list follows "window.YTD.… =" or "Grailbird.data.… =", as in the archives of X. No script is ever run.
 * @returns the elements that end in each chunk: one asynchronous step for all of them
 * @throws JsonFault, after the elements before it, when the file is broken, cut off or of another shape.
 */
export async function* readElements(
  chunks: AsyncIterable<Uint8Array>,
  lists: { names?: readonly string[]; assigned?: boolean },
): AsyncGenerator<readonly Element[]> {
  let cutter: Cutter | undefined;
  for await (let chunk of withLongHead(chunks)) {
    if (cutter === undefined) [cutter, chunk] = begin(chunk, lists);
    const found: Element[] = [];
    try {
      cutter.take(chunk, found);
    } catch (fault) {
      yield found;
      throw fault;
    }
    yield found;
  }
  if (cutter === undefined) throw new JsonFault("the file is empty");
  yield cutter.end();
}

/** Adds the elements that end in a chunk to `found`; `end` returns the last ones. */
interface Cutter {
  take(chunk: Uint8Array, found: Element[]): void;
  end(): Element[];
}

/** The same bytes, the first of them together: enough to see two lines. */
async function* withLongHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array[] | undefined = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (head === undefined) yield chunk;
    else if (head.push(chunk) && size >= longHeadBytes) {
      yield Buffer.concat(head);
      head = undefined;
    }
  }
  if (head !== undefined && size > 0) yield Buffer.concat(head);
}

function begin(
  chunk: Uint8Array,
  { names = [], assigned = false }: { names?: readonly string[]; assigned?: boolean },
): [Cutter, Uint8Array] {
  const start = chunk.findIndex((byte) => byte === openList || byte === openObject);
  const head = Buffer.from(chunk.subarray(0, start < 0 ? chunk.length : start)).toString("latin1");
  if (start < 0 || !(assigned ? assignment : blanks).test(head)) throw new JsonFault(assigned ? notOfX : notJson);
  const rest = chunk.subarray(start);
  const areLines = !assigned && twoLines.test(Buffer.from(rest).toString("latin1"));
  return [areLines ? new LineCutter(names) : new ElementCutter(names), rest];
}

const longHeadBytes = 64 * 1024;
const assignment = /^(?:\xef\xbb\xbf)?\s{0,50}(?:window\.YTD\.\w+\.part\d+|Grailbird\.data\.\w+)\s*=\s*$/;
const blanks = /^(?:\xef\xbb\xbf)?\s*$/;
const twoLines = /^\{[^\n]*\n\s*\{/;
const notOfX = "the file does not start as X's files do, with window.YTD.… = [";
const notJson = "the file is not JSON";

/** Cuts a file with an object in each line. A broken line does not concern the others: JSON has no line breaks inside strings. */
class LineCutter implements Cutter {
  readonly #names: readonly string[];
  #parts: Uint8Array[] = [];
  #size = 0;
  #index = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  take(chunk: Uint8Array, found: Element[]): void {
    for (let start = 0; ; ) {
      const end = chunk.indexOf(lineFeed, start);
      this.#hold(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return;
      found.push(...this.end());
      start = end + 1;
    }
  }

  /** The elements of the line. */
  end(): Element[] {
    const line = Buffer.concat(this.#parts);
    const isTooLarge = this.#size > maxElementBytes;
    [this.#parts, this.#size] = [[], 0];
    if (line.every((byte) => byte <= blank)) return [];
    const elements: Element[] = [];
    try {
      if (isTooLarge) throw new JsonFault(tooLarge);
      const cutter = new ElementCutter(this.#names);
      cutter.take(line, elements);
      elements.push(...cutter.end());
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      elements.push({ list: "", index: 0, text: "", fault: error.reason });
    }
    return elements.map((element) => ({ ...element, index: this.#index++ }));
  }

  #hold(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size <= maxElementBytes) this.#parts.push(part);
  }
}

const tooLarge = `it is larger than ${maxElementBytes} bytes`;

/** Follows brackets and strings byte by byte; UTF-8 has no bytes of JSON's syntax inside other characters (RFC 3629 §3). */
class ElementCutter implements Cutter {
  readonly #names: readonly string[];
  readonly #open = new Uint8Array(maxDepth);
  /** Bytes before the present chunk. */
  #offset = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #closed = false;
  /** The last string outside of elements: the name of the next value. */
  #name = "";
  #found = false;
  /** The depth inside the present list; 0 outside. */
  #listDepth = 0;
  #index = 0;
  #afterComma = false;
  /** The bytes of the open element in earlier chunks. */
  #parts: Uint8Array[] = [];
  #size = 0;
  #inElement = false;
  /** Where the open element begins in the present chunk. */
  #start = 0;
  /** The depth around an object that is an element without a list: 1 under a name, 0 for the file itself; -1 without one. */
  #objectDepth = -1;
  #objectName = "";
  #fault: string | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  take(chunk: Uint8Array, found: Element[]): void {
    this.#start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) at = this.#skipString(chunk, at);
      const byte = chunk[at];
      if (byte === undefined || byte <= blank) continue;
      if (this.#listDepth > 0 && this.#depth === this.#listDepth) {
        if (byte === comma || byte === closeList) {
          if (this.#inElement) found.push(this.#cut(chunk.subarray(this.#start, at)));
          else if (byte === comma || this.#afterComma) throw this.#brokenAt("a comma too many", at);
          this.#afterComma = byte === comma;
        } else if (!this.#inElement) this.#beginElement(at);
      }
      this.#step(byte, at);
      if (byte === closeObject && this.#depth === this.#objectDepth) {
        found.push(this.#cut(chunk.subarray(this.#start, at + 1)));
        this.#objectDepth = -1;
      }
    }
    if (this.#inElement) this.#hold(chunk.subarray(this.#start));
    this.#offset += chunk.length;
  }

  end(): Element[] {
    if (!this.#closed) throw this.#brokenAt("the file is cut off", 0);
    if (this.#found) return [];
    const objects = this.#names.length > 0 ? ` nor an object with ${this.#names.join(", ")}` : "";
    throw new JsonFault(`the file holds neither a list${objects}`);
  }

  /** The index of the closing quote, or of the chunk's end when the string continues. */
  #skipString(chunk: Uint8Array, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === quote) break;
      if (byte === backslash) at++;
    }
    // One more when the chunk ends with a backslash.
    this.#escaped = at > chunk.length;
    this.#inString = at >= chunk.length;
    if (this.#listDepth === 0 && this.#name.length < maxNameBytes) {
      this.#name += Buffer.from(chunk.subarray(from, Math.min(at, from + maxNameBytes))).toString("latin1");
    }
    return at + 1;
  }

  #step(byte: number, at: number): void {
    if (this.#closed && byte !== semicolon) throw this.#brokenAt("something follows its end", at);
    if (byte === quote) {
      this.#inString = true;
      if (this.#listDepth === 0) this.#name = "";
    } else if (byte === openList || byte === openObject) {
      if (byte === openObject && this.#listDepth === 0) this.#beginObject(at);
      if (this.#depth < maxDepth) this.#open[this.#depth] = byte;
      else this.#spoil(`it is nested more than ${maxDepth} deep`, at);
      this.#depth++;
      if (byte === openList && this.#listDepth === 0) this.#enterList();
    } else if (byte === closeList || byte === closeObject) {
      // The codes of both pairs of brackets are two apart.
      const opened = this.#depth > maxDepth ? byte - 2 : this.#open[this.#depth - 1];
      if (opened !== byte - 2) throw this.#brokenAt("its brackets do not match", at);
      if (this.#depth-- === this.#listDepth) this.#listDepth = 0;
      this.#closed = this.#depth === 0;
    }
  }

  #enterList(): void {
    if (this.#depth > 1 && !this.#isNamed(2)) return;
    this.#dropElement();
    this.#objectDepth = -1;
    this.#listDepth = this.#depth;
    this.#index = 0;
    this.#found = true;
  }

  /** An object of the file itself is an element as long as no list, or other object, under one of the names is found in it. */
  #beginObject(at: number): void {
    const isNamed = this.#isNamed(1);
    if (!isNamed && (this.#depth > 0 || this.#names.length === 0)) return;
    this.#dropElement();
    this.#objectDepth = this.#depth;
    this.#objectName = isNamed ? this.#name : "";
    this.#index = 0;
    this.#beginElement(at);
  }

  #isNamed(depth: number): boolean {
    return this.#depth === depth && this.#open[0] === openObject && this.#names.includes(this.#name);
  }

  #beginElement(at: number): void {
    this.#inElement = true;
    this.#start = at;
  }

  #cut(last: Uint8Array): Element {
    this.#hold(last);
    const list = this.#objectDepth >= 0 ? this.#objectName : this.#depth === 1 ? "" : this.#name;
    const index = this.#index++;
    const text = this.#fault === undefined ? this.#decode(joined(this.#parts)) : "";
    const fault = this.#fault;
    this.#found = true;
    this.#dropElement();
    return fault === undefined ? { list, index, text } : { list, index, text, fault };
  }

  #dropElement(): void {
    [this.#parts, this.#size, this.#inElement, this.#fault] = [[], 0, false, undefined];
  }

  #hold(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > maxElementBytes) this.#fault ??= tooLarge;
    if (this.#fault === undefined) this.#parts.push(part);
    else this.#parts = [];
  }

  #decode(bytes: Uint8Array): string {
    try {
      return utf8.decode(bytes);
    } catch {
      this.#fault = "it is not UTF-8";
      return "";
    }
  }

  /** Notes a fault of the open element. @throws JsonFault where there is none */
  #spoil(reason: string, at: number): void {
    if (!this.#inElement) throw this.#brokenAt(reason, at);
    this.#fault ??= reason;
  }

  #brokenAt(reason: string, at: number): JsonFault {
    return new JsonFault(`${reason}, near byte ${this.#offset + at}`, this.#listDepth > 0 ? `[${this.#index}]` : "");
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

const maxNameBytes = 100;
const [quote, backslash, comma, semicolon, blank, lineFeed] = [0x22, 0x5c, 0x2c, 0x3b, 0x20, 0x0a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
