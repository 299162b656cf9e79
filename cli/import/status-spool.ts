import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where a message is in the spool, in bytes. */
export interface Slot {
  offset: number;
  length: number;
}

/**
 * Stores encoded statuses until every id is known and they can be sent in order. The first megabytes stay in memory;
 * the rest is in a temporary file that only this process can see. Calls are synchronous: they are a copy in
 * memory, or one read or write of a local file.
 */
export class StatusSpool {
  readonly #buffer: Buffer;
  readonly #parent: string;
  #used = 0;
  #flushed = 0;
  #file: number | undefined;
  #directory: string | undefined;

  /**
   * @param bufferBytes how much stays in memory; at least as much as the largest message.
   * @param parent the directory for the temporary file.
   */
  constructor(bufferBytes = 4 * 1024 * 1024, parent = tmpdir()) {
    this.#buffer = Buffer.allocUnsafe(bufferBytes);
    this.#parent = parent;
  }

  add(message: Uint8Array): Slot {
    if (this.#used + message.length > this.#buffer.length) this.#flush();
    this.#buffer.set(message, this.#used);
    const offset = this.#flushed + this.#used;
    this.#used += message.length;
    return { offset, length: message.length };
  }

  /** A copy of the message at `slot`. */
  read({ offset, length }: Slot): Uint8Array {
    const message = Buffer.allocUnsafe(length);
    if (offset >= this.#flushed) {
      message.set(this.#buffer.subarray(offset - this.#flushed, offset - this.#flushed + length));
      return message;
    }
    for (let at = 0; at < length; ) {
      const got = readSync(this.#open(), message, at, length - at, offset + at);
      if (got === 0) throw new Error("the temporary file of the import has become shorter");
      at += got;
    }
    return message;
  }

  /** Closes and deletes the temporary file. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#remove();
  }

  #flush(): void {
    for (let at = 0; at < this.#used; ) {
      at += writeSync(this.#open(), this.#buffer, at, this.#used - at, this.#flushed + at);
    }
    this.#flushed += this.#used;
    this.#used = 0;
  }

  #open(): number {
    if (this.#file !== undefined) return this.#file;
    this.#directory = mkdtempSync(join(this.#parent, "roost-import-"));
    this.#file = openSync(join(this.#directory, "statuses"), "wx+", 0o600);
    // Deleted at once where the system allows it, so that a killed process leaves no file.
    this.#remove();
    return this.#file;
  }

  #remove(): void {
    if (this.#directory === undefined) return;
    try {
      rmSync(this.#directory, { recursive: true, force: true });
      this.#directory = undefined;
    } catch {
      // Windows cannot delete an open file; close() tries again.
    }
  }
}
