/**
 * Writes a message in protobuf's wire format (protobuf.dev, Encoding), field by field in the order of their numbers. The memory is
 * used again: what `take` gives is a copy.
 */
export class WireWriter {
  #bytes = Buffer.allocUnsafeSlow(initialBytes);
  #at = 0;

  /** Begins a message. */
  clear(): void {
    this.#at = 0;
    if (this.#bytes.length > maxRetained) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
  }

  /** The message that has been written. */
  take(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  /** An integer of 64 bits, the lower half with or without a sign. */
  int64(field: number, high: number, low: number): void {
    this.#reserve(20);
    this.#varint(field << 3);
    const bytes = this.#bytes;
    let at = this.#at;
    let [upper, lower] = [high >>> 0, low >>> 0];
    while (upper > 0 || lower > 0x7f) {
      bytes[at++] = (lower & 0x7f) | 0x80;
      lower = ((lower >>> 7) | (upper << 25)) >>> 0;
      upper >>>= 7;
    }
    bytes[at++] = lower;
    this.#at = at;
  }

  /** Text in UTF-8, bytes, or an encoded message. */
  bytes(field: number, source: Uint8Array, from = 0, to = source.length): void {
    const length = to - from;
    this.#reserve(length + 20);
    this.#varint((field << 3) | lengthDelimited);
    this.#varint(length);
    const bytes = this.#bytes;
    let at = this.#at;
    this.#at += length;
    if (length > longEnough) bytes.set(source.subarray(from, to), at);
    else for (let index = from; index < to; index++) bytes[at++] = source[index] as number;
  }

  text(field: number, value: string): void {
    const start = this.begin(field);
    // A unit of UTF-16 takes three bytes at the most.
    this.#reserve(3 * value.length);
    this.#at += this.#bytes.write(value, this.#at);
    this.end(start);
  }

  /** Begins a message in a field of this one. Returns what `end` needs. */
  begin(field: number): number {
    this.#reserve(20);
    this.#varint((field << 3) | lengthDelimited);
    // For the length, which takes one byte in most messages.
    this.#at++;
    return this.#at;
  }

  end(start: number): void {
    const length = this.#at - start;
    const more = length < 0x80 ? 0 : length < 0x4000 ? 1 : length < 0x200000 ? 2 : 3;
    if (more > 0) {
      this.#reserve(more);
      this.#bytes.copyWithin(start + more, start, this.#at);
    }
    this.#at = start - 1;
    this.#varint(length);
    this.#at += length;
  }

  /** Less than 2 ** 28. */
  #varint(value: number): void {
    const bytes = this.#bytes;
    let rest = value;
    while (rest > 0x7f) {
      bytes[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[this.#at++] = rest;
  }

  #reserve(more: number): void {
    const needed = this.#at + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

const initialBytes = 64 * 1024;
/** Bytes of memory that are used again; a larger buffer, which one long list needed, is freed. */
const maxRetained = 4 * 1024 * 1024;
/** Bytes from which on a call to copy them costs less than a loop. */
const longEnough = 64;
/** A wire type. */
const lengthDelimited = 2;
