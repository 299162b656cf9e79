import { LRUCache } from "lru-cache";
import { type Charge, pace, type RateLimiter, toSeconds } from "./rate-limiter.ts";

/** A rate limiter of this process alone. @param now milliseconds, for tests */
export function createLocalLimiter(now: () => number = Date.now): RateLimiter {
  // For each key the moment at which all that it took will have come back. Of too many keys the oldest are forgotten.
  // A `max` would take its room at start: 34 ms of processor and 5 MB.
  const dueAt = new LRUCache<string, number>({ maxSize: 300_000, sizeCalculation: () => 1 });
  return {
    async take(charges) {
      const at = now();
      const taken = charges.map((charge) => {
        const key = keyOf(charge);
        const { step, span } = pace(charge.rate);
        const due = Math.max(dueAt.get(key) ?? at, at) + step;
        return { key, due, wait: Math.max(toSeconds(due - at - span), 0) };
      });
      if (taken.every(({ wait }) => wait === 0)) for (const { key, due } of taken) dueAt.set(key, due);
      return taken.map(({ wait }) => wait);
    },
    async giveBack(charges) {
      for (const charge of charges) {
        const due = dueAt.get(keyOf(charge));
        if (due !== undefined) dueAt.set(keyOf(charge), due - pace(charge.rate).step);
      }
    },
  };
}

function keyOf({ limit, key }: Charge): string {
  return `${limit}:${key}`;
}
