import pLimit, { type LimitFunction } from "p-limit";
import { resourceExhausted, unavailable } from "./errors.ts";
import type { Counter } from "./metrics/instruments.ts";

/** Lets a bounded number of tasks run at once. */
export interface ConcurrencyLimit {
  /**
   * @param caller aborted when the caller has disconnected; a task that has not begun by then is not run
   * @throws ConnectError ResourceExhausted when too many tasks wait, Unavailable when the caller has disconnected, and what the task throws
   */
  run<T>(task: () => Promise<T>, caller?: AbortSignal): Promise<T>;
  /** How many tasks run and how many wait. */
  depth(): Depth;
}

/** The tasks of a concurrency limit or of a queue, by state. */
export type Depth = Readonly<Record<"running" | "waiting", number>>;

/**
 * Runs at most `maxConcurrent` tasks at once, and lets at most `maxWaiting` more wait. A task beyond that is refused with
 * ResourceExhausted, because its result would come too late to be of use.
 * @param maxWaiting a number, or a function that is called when a task comes
 * @param refused counts the refused tasks
 */
export function createConcurrencyLimit(
  maxConcurrent: number,
  maxWaiting: number | (() => number),
  refused: Counter = { value: 0 },
): ConcurrencyLimit {
  const limit = pLimit(maxConcurrent);
  const maxNow = typeof maxWaiting === "number" ? () => maxWaiting : maxWaiting;
  return {
    async run(task, caller) {
      if (limit.pendingCount >= maxNow()) {
        refused.value++;
        throw resourceExhausted();
      }
      return limit(async () => {
        if (caller?.aborted) throw unavailable();
        return task();
      });
    },
    depth: () => ({ running: limit.activeCount, waiting: limit.pendingCount }),
  };
}

/** Lets a limited number of tasks of each key run at once; further tasks of that key wait, in their order. */
export interface KeyedLimit {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** @param maxOf how many tasks of a key run at once */
export function createKeyedLimit(maxOf: (key: string) => number): KeyedLimit {
  /** While there are tasks of a key. */
  const keys = new Map<string, { limit: LimitFunction; tasks: number }>();
  return {
    async run(key, task) {
      const known = keys.get(key) ?? { limit: pLimit(maxOf(key)), tasks: 0 };
      keys.set(key, known);
      known.tasks++;
      try {
        return await known.limit(task);
      } finally {
        known.tasks--;
        if (known.tasks === 0) keys.delete(key);
      }
    },
  };
}
