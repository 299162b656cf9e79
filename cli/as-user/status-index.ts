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
  /** A hash table of the rows; undefined until it is needed. */
  #table: Uint32Array | undefined;
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
    this.#table = undefined;
    const row = [Number(order >> 32n), Number(order & 0xffff_ffffn), ...digestOf(originId), length];
    this.#numbers.set(row, columns * this.#size);
    this.#offsets[this.#size++] = offset;
  }

  /** How many records there are. */
  get size(): number {
    return this.#size;
  }

  /** Whether there is a status with this id. */
  has(originId: string): boolean {
    const row = this.#find(originId);
    return row !== undefined && this.#lengthOf(row) > 0;
  }

  /** Removes the status with this id. */
  drop(originId: string): void {
    const row = this.#find(originId);
    if (row !== undefined) this.#numbers[columns * row + 4] = 0;
  }

  #find(originId: string): number | undefined {
    const [first, second] = digestOf(originId);
    const { table, mask } = this.#filledTable();
    for (let place = first & mask; table[place] !== 0; place = (place + 1) & mask) {
      const row = (table[place] as number) - 1;
      const at = columns * row + digest;
      if (this.#numbers[at] === first && this.#numbers[at + 1] === second) return row;
    }
    return undefined;
  }

  #lengthOf(row: number): number {
    return this.#numbers[columns * row + 4] as number;
  }

  /**
   * Each status once, the oldest first, those of one time as they were added. A generator, since a list would take more memory
   * than the index.
   */
  *sorted(): Generator<Slot> {
    for (const row of this.#lastRecords().sort((a, b) => this.#compare(a, b, order) || a - b)) {
      const length = this.#lengthOf(row);
      if (length > 0) yield { offset: this.#offsets[row] as number, length };
    }
  }

  /** The row of the last record of each status, in the order of the rows: two records may have different times. */
  #lastRecords(): Uint32Array {
    const found = this.#filledTable()
      .table.filter((known) => known > 0)
      .sort();
    return found.map((known) => known - 1);
  }

  /** The rows, each increased by 1, by the digest of the id; sorting by digest would take ten times as long. */
  #filledTable(): { table: Uint32Array; mask: number } {
    if (this.#table !== undefined) return { table: this.#table, mask: this.#table.length - 1 };
    const mask = 2 ** Math.ceil(Math.log2(this.#size * 1.5 + 2)) - 1;
    const table = new Uint32Array(mask + 1);
    for (let row = 0; row < this.#size; row++) {
      let place = (this.#numbers[columns * row + digest] as number) & mask;
      for (let known: number; (known = table[place] as number) > 0; place = (place + 1) & mask) {
        if (this.#compare(known - 1, row, digest) === 0) break;
      }
      table[place] = row + 1;
    }
    this.#table = table;
    return { table, mask };
  }

  /** Compares two columns, from `column` on. */
  #compare(a: number, b: number, column: number): number {
    const [one, other] = [columns * a + column, columns * b + column];
    const numbers = this.#numbers;
    return (
      (numbers[one] as number) - (numbers[other] as number) ||
      (numbers[one + 1] as number) - (numbers[other + 1] as number)
    );
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

/** 64 bits of a digest, in two numbers. */
function digestOf(originId: string): [number, number] {
  const id = hash("sha256", originId, "buffer");
  return [id.readUInt32BE(0), id.readUInt32BE(4)];
}

// The two halves of the order, 64 bits of a digest of the id in two columns, the length.
const columns = 5;
const [order, digest] = [0, 2];
