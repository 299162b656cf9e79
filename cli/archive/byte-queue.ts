/** Bytes as they come, taken in the portions that a format has. */
export class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #current: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes, at most `most`; undefined at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    while (this.#current.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return undefined;
      this.#current = next.value;
    }
    const taken = this.#current.subarray(0, most);
    this.#current = this.#current.subarray(taken.length);
    return taken;
  }

  /** The next `size` bytes, which are held; undefined when there are fewer. */
  async exactly(size: number): Promise<Buffer | undefined> {
    const parts: Uint8Array[] = [];
    for (let left = size; left > 0; ) {
      const part = await this.some(left);
      if (part === undefined) return undefined;
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }
}
