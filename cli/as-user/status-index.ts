import { hash } from "node:crypto";
import { ArchiveFault } from "../archive/archive.ts";
import { limits } from "../archive/limits.ts";
import type { Slot } from "../import/status-spool.ts";

/**
 * The place of every status of an archive in the spool, and their order, at 28 bytes each: half a million take 14 MB. Of
 * several records of one status the last one counts.
 */
export class StatusIndex {
  #numbers = new Uint32Array(5 * 1_024);
  #offsets = new Float64Array(1_024);
  #size = 0;
  readonly #max: number;

  /** @param max another limit, for tests. */
  constructor(max: number = limits.statuses) {
    this.#max = max;
  }

  /**
   * @param order smaller is older; 64 bits.
   * @throws ArchiveFault for too many.
   */
  add(order: bigint, originId: string, { offset, length }: Slot): void {
    if (this.#size === this.#max) throw new ArchiveFault(`it holds more than ${this.#max} statuses`);
    if (this.#size === this.#offsets.length) this.#grow();
    const id = hash("sha256", originId, "buffer");
    const row = [Number(order >> 32n), Number(order & 0xffff_ffffn), id.readUInt32BE(0), id.readUInt32BE(4), length];
    this.#numbers.set(row, columns * this.#size);
    this.#offsets[this.#size++] = offset;
  }

  /** How many records there are. */
  get size(): number {
    return this.#size;
  }

  /** Each status once, the oldest first. A generator, since a list would take more memory than the index. */
  *sorted(): Generator<Slot> {
    const rows = new Uint32Array(this.#size);
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    rows.sort((a, b) => this.#compare(a, b, 4) || a - b);
    for (let place = 0; place < rows.length; place++) {
      const [row, next] = [rows[place] as number, rows[place + 1]];
      if (next !== undefined && this.#compare(row, next, 4) === 0) continue;
      yield { offset: this.#offsets[row] as number, length: this.#numbers[columns * row + 4] as number };
    }
  }

  #compare(a: number, b: number, depth: number): number {
    for (let column = 0; column < depth; column++) {
      const difference =
        (this.#numbers[columns * a + column] as number) - (this.#numbers[columns * b + column] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #grow(): void {
    const numbers = new Uint32Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    const offsets = new Float64Array(2 * this.#offsets.length);
    offsets.set(this.#offsets);
    this.#numbers = numbers;
    this.#offsets = offsets;
  }
}

// The two halves of the order, 64 bits of a digest of the id in two columns, the length.
const columns = 5;
