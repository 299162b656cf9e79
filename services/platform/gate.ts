import pLimit from "p-limit";
import { resourceExhausted } from "./errors.ts";

/** Lets a bounded number of pieces of work run at once. */
export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * A gate for at most `most` pieces of work at once. `waiting` more may wait in front of it; whoever comes then is turned
 * away with ResourceExhausted, because an answer would come too late to be of use.
 */
export function createGate(most: number, waiting: number): Gate {
  const limit = pLimit(most);
  return {
    async run(work) {
      if (limit.pendingCount >= waiting) throw resourceExhausted();
      return limit(work);
    },
  };
}
