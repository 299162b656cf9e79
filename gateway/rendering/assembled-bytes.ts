/** The body of a reply. */
export type ReplyBytes = Buffer | AssembledBytes;

/** A body that is stored in another form, and assembled when it is sent. */
export abstract class AssembledBytes {
  /** How many bytes the whole body has. */
  abstract readonly length: number;
  /** Writes the whole body. Returns where it ends. */
  abstract writeTo(target: Buffer, at: number): number;
  /** The whole body in pieces, which may be short. */
  abstract pieces(): Iterable<Buffer>;

  whole(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.length);
    this.writeTo(bytes, 0);
    return bytes;
  }

  /** The whole body in pieces of some KB. */
  *chunks(): Generator<Buffer> {
    let gathered: Buffer[] = [];
    let length = 0;
    for (const piece of this.pieces()) {
      gathered.push(piece);
      length += piece.length;
      if (length < minChunk) continue;
      yield Buffer.concat(gathered, length);
      gathered = [];
      length = 0;
    }
    if (length > 0) yield Buffer.concat(gathered, length);
  }

  toString(): string {
    return this.whole().toString();
  }
}

/** Bytes of a chunk, except the last one. */
const minChunk = 16 * 1024;

/** A JSON array of items that are stored one by one, in the bytes around it. */
export class JsonList extends AssembledBytes {
  readonly length: number;
  readonly #items: readonly ReplyBytes[];
  readonly #start: Buffer;
  readonly #end: Buffer;

  /** @param start what is before the items; `end` behind them */
  constructor(items: readonly ReplyBytes[], start: Buffer = arrayStart, end: Buffer = arrayEnd) {
    super();
    this.#items = items;
    this.#start = start;
    this.#end = end;
    let length = start.length + end.length + Math.max(0, items.length - 1);
    for (const item of items) length += item.length;
    this.length = length;
  }

  writeTo(target: Buffer, at: number): number {
    target.set(this.#start, at);
    const first = at + this.#start.length;
    at = first;
    for (const item of this.#items) {
      if (at > first) target[at++] = comma;
      if (item instanceof AssembledBytes) item.writeTo(target, at);
      else target.set(item, at);
      at += item.length;
    }
    target.set(this.#end, at);
    return at + this.#end.length;
  }

  *pieces(): Generator<Buffer> {
    yield this.#start;
    for (const [index, item] of this.#items.entries()) {
      if (index > 0) yield commaBytes;
      if (item instanceof AssembledBytes) yield* item.pieces();
      else yield item;
    }
    yield this.#end;
  }
}

const arrayStart = Buffer.from("[");
const arrayEnd = Buffer.from("]");
const comma = 0x2c;
const commaBytes = Buffer.from(",");

/** The whole body. */
export function wholeBytes(bytes: ReplyBytes): Buffer {
  return bytes instanceof AssembledBytes ? bytes.whole() : bytes;
}
