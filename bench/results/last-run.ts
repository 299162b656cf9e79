import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Row } from "../trials/judge.ts";

/** The stored result of a case. */
export interface Figure {
  perSecond: number;
  /** Milliseconds. */
  p99: number;
}

/** The result of one case now, and when it was last measured. */
export interface Comparison {
  title: string;
  now: Figure;
  last: Figure | undefined;
}

/**
 * Compares rows with those of earlier runs, which are in a file, and stores them there for the next run. Cases that were not
 * measured now stay as they are. A file that cannot be read counts as none.
 */
export function compareWithLastRun(rows: readonly Row[], file: string): Comparison[] {
  const last = readFigures(file);
  const comparisons = rows.map(({ title, perSecond, p99 }) => ({ title, now: { perSecond, p99 }, last: last[title] }));
  const figures = { ...last, ...Object.fromEntries(comparisons.map(({ title, now }) => [title, now])) };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  return comparisons;
}

function readFigures(file: string): Record<string, Figure | undefined> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, Figure>;
  } catch {
    return {};
  }
}
