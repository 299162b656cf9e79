import type { Load } from "./load/load.ts";
import type { Side } from "./side.ts";

/** One line of the table. A new one is such an object in `rows.ts`. */
export interface Row {
  /** `--only` chooses rows by it. */
  name: string;
  title: string;
  /** What the figure is, such as "of node:http" or "statuses/s". */
  unit: string;
  floor: Floor;
  /** One round says all, since the figure only grows. */
  isOnce?: true;
  /** Prepares the row for a side; each call of the result measures one round. */
  prepare(side: Side, run: Run): Promise<() => Promise<Figures>>;
}

/** What the figure has to be, and what p99 may be at most as a multiple of the baseline's. */
export interface Floor {
  atLeast?: number;
  atMost?: number;
  p99AtMost?: number;
}

/** What one round has shown. */
export interface Figures {
  /** What the floor is about, in the unit of the row. */
  value: number;
  perSecond?: number;
  /** Milliseconds. */
  p99?: number;
  /** p99 as a multiple of the baseline's. */
  p99Ratio?: number;
  /** Milliseconds of processor time of one request, in all processes together. */
  processorMs?: number | undefined;
}

/** How a run measures. */
export interface Run {
  load: Load;
  rounds: number;
  /** The length of a turn; what is counted instead, such as publications, follows from it. */
  seconds: number;
  /** Whether the memory is measured for 8 minutes. */
  isLong: boolean;
  /** Has something ended after the row that is being prepared. */
  defer(end: () => unknown): void;
}

/** A checkout does not have what a row measures. */
export class NotSupported extends Error {}
