import { LRUCache } from "lru-cache";
import { type Allowance, pace, type Rate, toSeconds } from "./allowance.ts";

/** An allowance that this process alone counts. @param now milliseconds, for tests */
export function createLocalAllowance(rate: Rate, now: () => number = Date.now): Allowance {
  const { step, span } = pace(rate);
  // For each key the moment at which all that it took will have come back. Of too many keys the oldest are forgotten.
  const dueAt = new LRUCache<string, number>({ max: 100_000 });
  return {
    async take(key) {
      const at = now();
      const due = Math.max(dueAt.get(key) ?? at, at) + step;
      if (due - at > span) return toSeconds(due - at - span);
      dueAt.set(key, due);
      return 0;
    },
  };
}
