import pLimit from "p-limit";
import type { Depth } from "../../platform/concurrency-limit.ts";
import { resourceExhausted, unavailable } from "../../platform/errors.ts";
import type { Counter } from "../../platform/metrics/counters.ts";

export interface TurnQueueOptions {
  /** How many turns run at once. */
  maxConcurrent: number;
  /** Milliseconds of work that may wait; callers give up before a longer wait ends. */
  maxWaitMs: number;
  /** Counts the refused callers. */
  refused?: Counter | undefined;
}

/** A queue that is bounded by the time that its work takes. */
export interface TurnQueue {
  /**
   * Runs work when its turn comes.
   * @param caller aborted when the caller has disconnected: then the work is not run
   * @throws ResourceExhausted at once, when the waiting work already takes `maxWaitMs`
   */
  inTurn<T>(caller: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  /** How many turns run, and how many wait. */
  depth(): Depth;
  /** Milliseconds that the work of the waiting turns will take; 0 before one was measured. */
  backlogMs(): number;
}

/** A queue bounded by time instead of length: how long a turn takes depends on the machine and its load, so it is measured. */
export function createTurnQueue({ maxConcurrent, maxWaitMs, refused = { value: 0 } }: TurnQueueOptions): TurnQueue {
  const turns = pLimit(maxConcurrent);
  // Milliseconds of a turn, the last few dozen counting most.
  let average = 0;
  const backlogMs = () => (turns.pendingCount * average) / maxConcurrent;
  const measure = (milliseconds: number) => {
    average = average === 0 ? milliseconds : average + (milliseconds - average) / 16;
  };

  return {
    async inTurn(caller, work) {
      if (backlogMs() >= maxWaitMs) {
        refused.value++;
        throw resourceExhausted();
      }
      return turns(async () => {
        if (caller?.aborted) throw unavailable();
        const started = performance.now();
        try {
          return await work();
        } finally {
          measure(performance.now() - started);
        }
      });
    },
    depth: () => ({ running: turns.activeCount, waiting: turns.pendingCount }),
    backlogMs,
  };
}
