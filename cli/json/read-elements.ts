/** Lists and objects inside each other. */
export const maxDepth = 64;
/** Bytes of one element, such as a status or a conversation. */
export const maxElementBytes = 4 * 1024 ** 2;

/** One element of a list, not parsed yet. */
export interface Element {
  /** The name of the list in the file; empty when the file itself is the list. */
  list: string;
  /** Counted from 0 within the list. */
  index: number;
  text: string;
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
 * of the object is skipped. JSON.parse, which is faster than any tokenizer, does the parsing. The file may be hostile, so only
 * the elements of one chunk are in memory at a time, and their size and depth are limited before they are parsed.
 * @param assigned whether the list follows "window.YTD.… =", as in the archives of X. No script is ever run.
 * @returns the elements that end in each chunk: one asynchronous step for all of them
 * @throws JsonFault, after the elements before it, when the file is broken, cut off or of another shape.
 */
export async function* readElements(
  chunks: AsyncIterable<Uint8Array>,
  { names = [], assigned = false }: { names?: readonly string[]; assigned?: boolean },
): AsyncGenerator<readonly Element[]> {
  const cutter = new ElementCutter(names);
  let head: string | undefined = "";
  for await (let chunk of chunks) {
    if (head !== undefined) {
      const start = chunk.findIndex((byte) => byte === openList || byte === openObject);
      head += Buffer.from(chunk.subarray(0, start < 0 ? maxHeadBytes + 1 : start)).toString("latin1");
      if (start < 0 && head.length <= maxHeadBytes) continue;
      checkHead(head, assigned);
      chunk = chunk.subarray(start);
      head = undefined;
    }
    const found: Element[] = [];
    try {
      cutter.take(chunk, found);
    } catch (fault) {
      yield found;
      throw fault;
    }
    yield found;
  }
  if (head === "") throw new JsonFault("the file is empty");
  if (head !== undefined) throw new JsonFault(assigned ? notOfX : notJson);
  cutter.end();
}

function checkHead(head: string, assigned: boolean): void {
  if (assigned && !assignment.test(head)) throw new JsonFault(notOfX);
  if (!assigned && !blanks.test(head)) throw new JsonFault(notJson);
}

const maxHeadBytes = 200;
const assignment = /^(?:\xef\xbb\xbf)?\s*window\.YTD\.\w+\.part\d+\s*=\s*$/;
const blanks = /^(?:\xef\xbb\xbf)?\s*$/;
const notOfX = "the file does not start as X's files do, with window.YTD.… = [";
const notJson = "the file is not JSON";

/** Follows brackets and strings byte by byte; UTF-8 has no bytes of JSON's syntax inside other characters (RFC 3629 §3). */
class ElementCutter {
  readonly #names: readonly string[];
  readonly #open = new Uint8Array(maxDepth);
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** Bytes before the present chunk. */
  #offset = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #closed = false;
  /** The last string outside of lists: the name of the next value. */
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

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Adds the elements that end in the next chunk to `found`. */
  take(chunk: Uint8Array, found: Element[]): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) at = this.#skipString(chunk, at);
      // Most bytes are inside an element and in no string, such as those of the indentation.
      if (this.#listDepth > 0 && this.#depth > this.#listDepth) at = nextSyntax(chunk, at);
      const byte = chunk[at];
      if (byte === undefined || byte <= blank) continue;
      if (this.#listDepth > 0 && this.#depth === this.#listDepth) {
        if (byte === comma || byte === closeList) {
          if (this.#inElement) found.push(this.#cut(chunk.subarray(start, at)));
          else if (byte === comma || this.#afterComma) throw this.#fault("a comma too many", at);
          this.#afterComma = byte === comma;
        } else if (!this.#inElement) {
          this.#inElement = true;
          start = at;
        }
      }
      this.#step(byte, at);
    }
    if (this.#inElement) this.#hold(chunk.subarray(start));
    this.#offset += chunk.length;
  }

  end(): void {
    if (!this.#closed) throw this.#fault("the file is cut off", 0);
    if (this.#found) return;
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
    if (this.#closed && byte !== semicolon) throw this.#fault("something follows its end", at);
    if (byte === quote) {
      this.#inString = true;
      if (this.#listDepth === 0) this.#name = "";
    } else if (byte === openList || byte === openObject) {
      if (this.#depth === maxDepth) throw this.#fault(`it is nested more than ${maxDepth} deep`, at);
      this.#open[this.#depth++] = byte;
      if (byte === openList && this.#listDepth === 0) this.#enterList();
    } else if (byte === closeList || byte === closeObject) {
      // The codes of both pairs of brackets are two apart.
      if (this.#open[this.#depth - 1] !== byte - 2) throw this.#fault("its brackets do not match", at);
      if (this.#depth-- === this.#listDepth) this.#listDepth = 0;
      this.#closed = this.#depth === 0;
    }
  }

  #enterList(): void {
    const isNamed = this.#depth === 2 && this.#open[0] === openObject && this.#names.includes(this.#name);
    if (this.#depth > 1 && !isNamed) return;
    this.#listDepth = this.#depth;
    this.#index = 0;
    this.#found = true;
  }

  #cut(last: Uint8Array): Element {
    this.#hold(last);
    const text = this.#decode(this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : Buffer.concat(this.#parts));
    this.#parts = [];
    this.#size = 0;
    this.#inElement = false;
    return { list: this.#depth === 1 ? "" : this.#name, index: this.#index++, text };
  }

  #hold(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > maxElementBytes) throw this.#fault(`it is larger than ${maxElementBytes} bytes`, 0);
    this.#parts.push(part);
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw this.#fault("it is not UTF-8", 0);
    }
  }

  #fault(reason: string, at: number): JsonFault {
    return new JsonFault(`${reason}, near byte ${this.#offset + at}`, this.#listDepth > 0 ? `[${this.#index}]` : "");
  }
}

/** The index of the next quote or bracket, or of the chunk's end. */
function nextSyntax(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && isSyntax[chunk[at] as number] === 0) at++;
  return at;
}

const maxNameBytes = 100;
const [quote, backslash, comma, semicolon, blank] = [0x22, 0x5c, 0x2c, 0x3b, 0x20];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSyntax = new Uint8Array(256);
for (const byte of [quote, openList, closeList, openObject, closeObject]) isSyntax[byte] = 1;
