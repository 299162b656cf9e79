import { AssembledBytes } from "./assembled-bytes.ts";

/** A body as it is stored. */
export type StoredBytes = Buffer | CompactJson;

/**
 * JSON in which one value occurs several times, such as the author in each status of a timeline. The value is stored once, so that a
 * timeline of 20 takes a third of its bytes.
 */
export class CompactJson extends AssembledBytes {
  /**
   * Words of 32 bits, big-endian: how many occurrences are left out, the offset and the length of the first one, and the offset of
   * each that is left out. Then the JSON without these, to which the offsets refer.
   */
  readonly stored: Buffer;
  readonly length: number;

  /** @param stored bytes of this layout */
  private constructor(stored: Buffer) {
    super();
    this.stored = stored;
    const count = stored.readUInt32BE(0);
    this.length = stored.length - headerLength(count) + count * stored.readUInt32BE(8);
  }

  /**
   * @param json without the occurrences that are left out
   * @param value where the first occurrence begins and ends
   * @param places where the others are left out, in ascending order, all behind the first one
   */
  static of(json: Uint8Array, value: readonly [start: number, end: number], places: readonly number[]): CompactJson {
    const [start, end] = value;
    const stored = Buffer.allocUnsafeSlow(headerLength(places.length) + json.length);
    let at = 0;
    for (const word of [places.length, start, end - start, ...places]) at = stored.writeUInt32BE(word, at);
    stored.set(json, at);
    return new CompactJson(stored);
  }

  /** Reads what `stored` gave. Returns undefined for bytes of another layout. */
  static read(stored: Buffer): CompactJson | undefined {
    if (stored.length < headerLength(0)) return undefined;
    const count = stored.readUInt32BE(0);
    const jsonLength = stored.length - headerLength(count);
    let earlier = stored.readUInt32BE(4) + stored.readUInt32BE(8);
    if (jsonLength < earlier) return undefined;
    for (let index = 0; index < count; index++) {
      const place = placeOf(stored, index);
      if (place < earlier || place > jsonLength) return undefined;
      earlier = place;
    }
    return new CompactJson(stored);
  }

  writeTo(target: Buffer, at: number): number {
    const { stored } = this;
    const count = stored.readUInt32BE(0);
    const header = headerLength(count);
    const valueStart = at + stored.readUInt32BE(4);
    const valueEnd = valueStart + stored.readUInt32BE(8);
    const end = at + this.length;
    // The JSON is written to the end of its room, and each part is moved forward: copyWithin costs less than `set` with a subarray.
    const base = end - (stored.length - header);
    target.set(stored.subarray(header), base);
    let from = base;
    for (let index = 0; index < count; index++) {
      const to = base + placeOf(stored, index);
      target.copyWithin(at, from, to);
      at += to - from;
      from = to;
      target.copyWithin(at, valueStart, valueEnd);
      at += valueEnd - valueStart;
    }
    return end;
  }

  *pieces(): Generator<Buffer> {
    const parts = this.#parts();
    const value = parts[1] as Buffer;
    for (const [index, part] of parts.entries()) {
      if (index > 2) yield value;
      yield part;
    }
  }

  /** The same with each part edited: the value, and what is between its occurrences. */
  map(edit: (part: Buffer, isLast: boolean) => Buffer): CompactJson {
    const parts = this.#parts().map((part, index, { length }) => edit(part, index === length - 1));
    let end = 0;
    const ends = parts.map((part) => (end += part.length));
    return CompactJson.of(Buffer.concat(parts, end), [ends[0] as number, ends[1] as number], ends.slice(2, -1));
  }

  /** What is before the value, the value, and what is behind each of its occurrences. */
  #parts(): Buffer[] {
    const { stored } = this;
    const count = stored.readUInt32BE(0);
    const json = stored.subarray(headerLength(count));
    const start = stored.readUInt32BE(4);
    const end = start + stored.readUInt32BE(8);
    const bounds = [0, start, end, ...Array.from({ length: count }, (_, index) => placeOf(stored, index)), json.length];
    return bounds.slice(1).map((bound, index) => json.subarray(bounds[index], bound));
  }
}

/** The bytes to store. The first one tells the layout: no other body begins with 0. */
export function toStored(bytes: StoredBytes): Buffer {
  return bytes instanceof CompactJson ? bytes.stored : bytes;
}

/** Reads what `toStored` gave. Returns undefined for damaged bytes. */
export function fromStored(stored: Buffer): StoredBytes | undefined {
  return stored[0] === 0 ? CompactJson.read(stored) : stored;
}

function headerLength(count: number): number {
  return 12 + 4 * count;
}

function placeOf(stored: Buffer, index: number): number {
  return stored.readUInt32BE(12 + 4 * index);
}
