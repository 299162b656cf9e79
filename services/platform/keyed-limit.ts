import pLimit, { type LimitFunction } from "p-limit";

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
