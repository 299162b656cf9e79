import { type ConcurrencyLimit, createConcurrencyLimit } from "../../platform/concurrency-limit.ts";
import type { Counter } from "../../platform/metrics/counters.ts";

export interface TurnQueueOptions {
  /** How many turns run at once. */
  maxConcurrent: number;
  /** Milliseconds of work that may wait; callers disconnect before a longer wait ends. */
  maxWaitMs: number;
  /** Counts the refused callers. */
  refused?: Counter | undefined;
}

/** A concurrency limit whose queue is bounded by the time that its work takes. */
export interface TurnQueue extends ConcurrencyLimit {
  /** Milliseconds that the work of the waiting turns will take; 0 before one was measured. */
  backlogMs(): number;
}

/** Bounded by time instead of length: how long a turn takes depends on the machine and its load, so it is measured. */
export function createTurnQueue({ maxConcurrent, maxWaitMs, refused }: TurnQueueOptions): TurnQueue {
  // Milliseconds of a turn, averaged; the last few dozen turns count most.
  let average = 0;
  const turns = createConcurrencyLimit(maxConcurrent, () => (maxWaitMs * maxConcurrent) / average, refused);
  const measure = (milliseconds: number) => {
    average = average === 0 ? milliseconds : average + (milliseconds - average) / 16;
  };
  return {
    run: (work, caller) =>
      turns.run(async () => {
        const started = performance.now();
        try {
          return await work();
        } finally {
          measure(performance.now() - started);
        }
      }, caller),
    depth: turns.depth,
    backlogMs: () => (turns.depth().waiting * average) / maxConcurrent,
  };
}
