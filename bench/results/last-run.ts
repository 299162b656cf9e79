import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Figures, Row } from "./row.ts";

/** A row now, and its figures when it was last measured. */
export interface Comparison {
  row: Row;
  last: Figures | undefined;
}

/**
 * Compares rows with those of earlier runs, which are in a file, and stores them there for the next run. Rows that were not
 * measured now stay as they are. A file that cannot be read counts as none.
 */
export function compareWithLastRun(rows: readonly Row[], file: string): Comparison[] {
  const last = readFigures(file);
  const figures = { ...last, ...Object.fromEntries(rows.map(({ name, figures }) => [name, figures])) };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  return rows.map((row) => ({ row, last: last[row.name] }));
}

function readFigures(file: string): Record<string, Figures | undefined> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, Figures>;
  } catch {
    return {};
  }
}
