import type { Part } from "./format.ts";

/** Is told how many rows of a table were written or read. */
export interface RowProgress {
  /** Of the check of a file. */
  checked(part: Part, rows: number): void;
  rows(part: Part, rows: number): void;
  done(part: Part, rows: number): void;
}

/** A line for each table that is done, and one every three seconds for a large one. */
export function sayProgress(say: (line: string) => void): RowProgress {
  const intervalMs = 3_000;
  let nextAt = Date.now() + intervalMs;
  const report = ({ service, table }: Part, rows: number, rest: string) => {
    nextAt = Date.now() + intervalMs;
    say(`${service}.${table}: ${rows} ${rows === 1 ? "row" : "rows"}${rest}`);
  };
  return {
    checked(part, rows) {
      if (Date.now() >= nextAt) report(part, rows, " checked so far");
    },
    rows(part, rows) {
      if (Date.now() >= nextAt) report(part, rows, " so far");
    },
    done: (part, rows) => report(part, rows, ""),
  };
}
