import { isUtf8 } from "node:buffer";

/** JSON in UTF-8 that grows at its end. The memory is used again: what `take` gives is a copy. */
export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  /** The number of bytes. */
  length = 0;

  /** Removes all bytes. Frees a buffer that one long text enlarged. */
  clear(): void {
    this.length = 0;
    if (this.#bytes.length > maxRetained) this.#bytes = Buffer.allocUnsafeSlow(64 * 1024);
  }

  /** A copy of the bytes from an offset on. */
  take(from = 0): Buffer {
    return Buffer.from(this.#bytes.subarray(from, this.length));
  }

  isUtf8(): boolean {
    return isUtf8(this.#bytes.subarray(0, this.length));
  }

  /** Replaces a byte. */
  set(at: number, byte: number): void {
    this.#bytes[at] = byte;
  }

  addByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = byte;
  }

  /** Adds bytes as they are. */
  add(source: Uint8Array): void {
    this.#reserve(source.length);
    if (source.length > longEnough) {
      this.#bytes.set(source, this.length);
      this.length += source.length;
      return;
    }
    const bytes = this.#bytes;
    let at = this.length;
    for (let index = 0; index < source.length; index++) bytes[at++] = source[index] as number;
    this.length = at;
  }

  /** Adds text of ASCII. */
  addAscii(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let at = this.length;
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index);
    this.length = at;
  }

  /** Adds UTF-8 as a JSON string, escaped as JSON.stringify escapes (ECMA-262 §25.5.2.3). */
  addString(source: Uint8Array, from: number, to: number): void {
    // A byte becomes at most six.
    this.#reserve(6 * (to - from) + 2);
    const bytes = this.#bytes;
    let at = this.length;
    bytes[at++] = quote;
    for (let index = from; index < to; index++) {
      const byte = source[index] as number;
      if (byte >= 0x20 && byte !== quote && byte !== backslash) {
        bytes[at++] = byte;
      } else {
        const escaped = escapes[byte] as string;
        for (let place = 0; place < escaped.length; place++) bytes[at++] = escaped.charCodeAt(place);
      }
    }
    bytes[at++] = quote;
    this.length = at;
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

/** Bytes of memory that are used again; a larger buffer, which one long text needed, is freed. */
const maxRetained = 4 * 1024 * 1024;
/** Number of bytes above which a call of `set` costs less than a loop. */
const longEnough = 48;
const quote = 0x22;
const backslash = 0x5c;

/** The escapes of bytes that a JSON string may not have as they are. */
const escapes: readonly string[] = Array.from({ length: backslash + 1 }, (_, byte) =>
  JSON.stringify(String.fromCharCode(byte)).slice(1, -1),
);
