import { aborted, resourceExhausted } from "./errors.ts";
import type { Counter } from "./metrics/counters.ts";

/** Runs pieces of work that name the same key one after the other, in the order in which they came. */
export interface KeyedQueue {
  /**
   * Holds all the keys, taken in ascending order so that no two pieces of work wait for each other, while `work` runs.
   * @param deadline by performance.now(); the work does not start later
   * @throws Aborted when it could not start in time, ResourceExhausted when too much waits
   */
  run<T>(keys: readonly bigint[], deadline: number, work: () => Promise<T>): Promise<T>;
  /** How much waits for a key. */
  waiting(): number;
}

export interface KeyedQueueLimits {
  /** How much may wait for one key. */
  maxPerKey: number;
  /** How much may wait for all keys together. */
  maxWaiting: number;
}

/** @param refused counts what was refused because too much waited */
export function createKeyedQueue(
  { maxPerKey, maxWaiting }: KeyedQueueLimits,
  refused: Counter = { value: 0 },
): KeyedQueue {
  /** What waits for each key that is held. */
  const queues = new Map<bigint, Set<() => void>>();
  let waiting = 0;

  async function acquire(key: bigint, deadline: number): Promise<void> {
    const queue = queues.get(key);
    if (queue === undefined) {
      queues.set(key, new Set());
      return;
    }
    if (queue.size >= maxPerKey || waiting >= maxWaiting) {
      refused.value++;
      throw resourceExhausted();
    }
    waiting++;
    let timer: NodeJS.Timeout | undefined;
    let start = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        start = resolve;
        queue.add(start);
        const late = () => reject(aborted(new Error("the queue of this key did not move in time")));
        timer = setTimeout(late, deadline - performance.now());
      });
    } finally {
      clearTimeout(timer);
      queue.delete(start);
      waiting--;
    }
  }

  function release(key: bigint): void {
    const queue = queues.get(key) as Set<() => void>;
    const [next] = queue;
    if (next === undefined) queues.delete(key);
    else {
      // At once: before its promise is handled, the key might be released to it and to another.
      queue.delete(next);
      next();
    }
  }

  return {
    async run(keys, deadline, work) {
      const held: bigint[] = [];
      try {
        for (const key of [...new Set(keys)].toSorted((a, b) => (a < b ? -1 : 1))) {
          await acquire(key, deadline);
          held.push(key);
        }
        return await work();
      } finally {
        for (const key of held) release(key);
      }
    },
    waiting: () => waiting,
  };
}
