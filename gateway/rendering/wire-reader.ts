import type { JsonBytes } from "./json-bytes.ts";

/** Thrown for a form that our services do not send, though it may be valid protobuf. */
export const unusual = new Error("The message is not as our services send it");

/** Reads protobuf's wire format (protobuf.dev, Encoding), as far as our services use it. Everything else throws `unusual`. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at: number;
  #end: number;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** A field's number and wire type. */
  tag(): number {
    const at = this.#at;
    const tag = this.#varint32();
    // A field number of ours takes three bytes at the most, and 0 is none.
    if (tag < 8 || this.#at - at > 3) throw unusual;
    return tag;
  }

  /** Reads the same tag again, if it is next. Returns whether it was. */
  tagIs(tag: number): boolean {
    if (this.isAtEnd()) return false;
    const at = this.#at;
    if (this.tag() === tag) return true;
    this.#at = at;
    return false;
  }

  bool(): boolean {
    const at = this.#at;
    const value = this.#varint32() !== 0;
    if (this.#at - at > 1) throw unusual;
    return value;
  }

  int32(): number {
    return this.#varint32();
  }

  int64Text(): string {
    const bytes = this.#bytes;
    // Seven bits of each byte; exact up to 2^53, like doubles.
    let value = 0;
    let factor = 1;
    for (let index = 0; index < 7; index++) {
      if (this.#at >= this.#end) throw unusual;
      const byte = bytes[this.#at++] as number;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return `${value}`;
      factor *= 128;
    }
    let rest = 0n;
    for (let shift = 0n; shift < 21n; shift += 7n) {
      if (this.#at >= this.#end) throw unusual;
      const byte = bytes[this.#at++] as number;
      rest |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return `${BigInt.asIntN(64, (rest << 49n) | BigInt(value))}`;
    }
    throw unusual;
  }

  double(): number {
    const at = this.#at;
    this.#move(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getFloat64(0, true);
  }

  /** Adds a string's JSON. */
  string(json: JsonBytes): void {
    const [from, to] = this.range();
    json.addString(this.#bytes, from, to);
  }

  /** Enters a length-delimited value: reading ends with it. Returns what `leave` needs to continue after it. */
  enter(): number {
    const at = this.#at;
    const length = this.#varint32();
    if (length < 0 || this.#at - at > 5) throw unusual;
    const outer = this.#end;
    const end = this.#at + length;
    if (end > outer) throw unusual;
    this.#end = end;
    return outer;
  }

  leave(outer: number): void {
    if (this.#at !== this.#end) throw unusual;
    this.#end = outer;
  }

  /** Skips a length-delimited value. Returns its range. */
  range(): [from: number, to: number] {
    const outer = this.enter();
    const range: [number, number] = [this.#at, this.#end];
    this.#at = this.#end;
    this.#end = outer;
    return range;
  }

  skip(wireType: number): void {
    if (wireType === varint) this.#varint32();
    else if (wireType === lengthDelimited) this.range();
    else if (wireType === bit64) this.#move(8);
    else if (wireType === bit32) this.#move(4);
    else throw unusual;
  }

  /** The lower 32 bits, signed, as protobuf reads a number that is too long. */
  #varint32(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw unusual;
      const byte = bytes[this.#at++] as number;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw unusual;
  }

  #move(length: number): void {
    this.#at += length;
    if (this.#at > this.#end) throw unusual;
  }
}

/** Wire types, as tags hold them. */
export const varint = 0;
export const bit64 = 1;
export const lengthDelimited = 2;
const bit32 = 5;

/** The ranges of the length-delimited values of one field of a message. */
export function rangesOf(wire: Uint8Array, number: number): [from: number, to: number][] {
  const reader = new WireReader(wire);
  const ranges: [number, number][] = [];
  while (!reader.isAtEnd()) {
    const tag = reader.tag();
    if (tag >>> 3 !== number) reader.skip(tag & 7);
    else if ((tag & 7) === lengthDelimited) ranges.push(reader.range());
    else throw unusual;
  }
  return ranges;
}

/** The texts of string fields of a message, in the order of the numbers; "" where there is none. */
export function textsOf(wire: Uint8Array, ...numbers: number[]): string[] {
  const reader = new WireReader(wire);
  const texts = numbers.map(() => "");
  while (!reader.isAtEnd()) {
    const tag = reader.tag();
    const index = numbers.indexOf(tag >>> 3);
    if (index === -1) {
      reader.skip(tag & 7);
      continue;
    }
    if ((tag & 7) !== lengthDelimited) throw unusual;
    const [from, to] = reader.range();
    texts[index] = Buffer.from(wire.buffer, wire.byteOffset + from, to - from).toString();
  }
  return texts;
}
