import type pg from "pg";
import { type Db, traceStatements } from "./pool.ts";

/** A value of a row. Postgres reads a number or a time from its text. */
export type CopyValue = string | number | bigint | boolean | Buffer | null;

/**
 * Adds rows by COPY, for which Postgres needs two thirds of the time of an insert. Only inside a transaction: a pool lends no
 * connection for it.
 * @param statement its name and text, such as "copy social.status (author_id, id) from stdin"
 */
export async function copyRows(
  db: Db,
  statement: { name: string; text: string },
  rows: readonly (readonly CopyValue[])[],
): Promise<void> {
  const copy = new Copy(statement.text, Buffer.from(rows.map(rowText).join("")));
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const query = db.query as (copy: Copy, done: (error?: Error | null) => void) => unknown;
      query.call(db, copy, (error) => (error ? reject(error) : resolve()));
    });
  await traceStatements(run as unknown as Db["query"])(statement);
}

/** The text format of COPY (PostgreSQL's manual, COPY, "File Formats"). */
function rowText(row: readonly CopyValue[]): string {
  return `${row.map(valueText).join("\t")}\n`;
}

function valueText(value: CopyValue): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return special.test(value) ? value.replace(eachSpecial, escaped) : value;
  return Buffer.isBuffer(value) ? `\\\\x${value.toString("hex")}` : String(value);
}

const special = /[\\\t\n\r]/;
const eachSpecial = /[\\\t\n\r]/g;

function escaped(character: string): string {
  return escapes[character] as string;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** The interface of a statement that runs itself; pg's own statements answer every COPY with a failure. */
class Copy implements pg.Submittable {
  /** Set by pg. */
  callback: ((error?: Error) => void) | undefined;
  readonly #text: string;
  readonly #rows: Buffer;

  constructor(text: string, rows: Buffer) {
    this.#text = text;
    this.#rows = rows;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.callback?.();
  }
}

interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}
