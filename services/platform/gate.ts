import pLimit from "p-limit";
import { resourceExhausted } from "./errors.ts";
import type { Count } from "./metrics/counts.ts";

/** Lets a bounded number of pieces of work run at once. */
export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How much runs and how much waits. */
  depth(): Depth;
}

/** Pieces of work at a gate, or in a queue. */
export type Depth = Readonly<Record<"running" | "waiting", number>>;

/**
 * A gate for at most `most` pieces of work at once. `waiting` more may wait in front of it; whoever comes then is turned
 * away with ResourceExhausted, because an answer would come too late to be of use.
 * @param refused counts those
 */
export function createGate(most: number, waiting: number, refused: Count = { value: 0 }): Gate {
  const limit = pLimit(most);
  return {
    async run(work) {
      if (limit.pendingCount >= waiting) {
        refused.value++;
        throw resourceExhausted();
      }
      return limit(work);
    },
    depth: () => ({ running: limit.activeCount, waiting: limit.pendingCount }),
  };
}
