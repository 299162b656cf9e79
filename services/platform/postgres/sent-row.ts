/**
 * Takes the value of a column in the binary form of its type.
 * @param at where it begins
 * @param length its bytes
 * @param type the oid of its type
 */
export type TakeColumn = (bytes: Buffer, at: number, length: number, type: number) => void;

/**
 * Reads a row in the form of Postgres's `record_send`: the number of columns, and for each its type, its length and its value.
 * Null columns are skipped. A row in this form is one value for pg; columns would be a text each.
 * @param at where the row begins
 * @returns where the next one begins
 * @throws Error for another number of columns, RangeError for bytes that break off
 */
export function readSentRow(bytes: Buffer, at: number, columns: readonly TakeColumn[]): number {
  const count = bytes.readInt32BE(at);
  if (count !== columns.length) throw new Error(`A row has ${count} columns instead of ${columns.length}`);
  let next = at + 4;
  for (const take of columns) {
    const type = bytes.readInt32BE(next);
    const length = bytes.readInt32BE(next + 4);
    next += 8;
    if (length < 0) continue;
    take(bytes, next, length, type);
    next += length;
  }
  return next;
}

/** The oid of timestamptz. Its value is an int8: microseconds since 2000-01-01. */
export const timestamptz = 1184;

/** A timestamptz, to the millisecond. */
export function sentDate(bytes: Buffer, at: number): Date {
  const microseconds = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
  return new Date(Math.floor(microseconds / 1_000) + year2000);
}

const year2000 = Date.UTC(2000, 0);
