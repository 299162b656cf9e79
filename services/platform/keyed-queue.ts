import { aborted, resourceExhausted } from "./errors.ts";
import type { Counter } from "./metrics/counters.ts";

/** Runs tasks that name the same key one after the other, in the order in which they came. */
export interface KeyedQueue {
  /**
   * Runs a task while it holds all the keys. They are taken in ascending order, so that no two tasks wait for each other.
   * @param deadline by performance.now(); the task does not start later
   * @throws Aborted when it could not start in time, ResourceExhausted when too many tasks wait
   */
  run<T>(keys: readonly bigint[], deadline: number, work: () => Promise<T>): Promise<T>;
  /** How many tasks wait for a key. */
  waiting(): number;
}

export interface KeyedQueueLimits {
  /** How many tasks may wait for one key. */
  maxPerKey: number;
  /** How many tasks may wait for all keys together. */
  maxWaiting: number;
}

/** @param refused counts the tasks that were refused because too many waited */
export function createKeyedQueue(
  { maxPerKey, maxWaiting }: KeyedQueueLimits,
  refused: Counter = { value: 0 },
): KeyedQueue {
  /** The tasks that wait for each key in use. */
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
    try {
      await waitIn(queue, deadline);
    } finally {
      waiting--;
    }
  }

  function release(key: bigint): void {
    const queue = queues.get(key) as Set<() => void>;
    const [next] = queue;
    if (next === undefined) queues.delete(key);
    else {
      // Now: until its promise is handled, the key could be given to it and to another.
      queue.delete(next);
      next();
    }
  }

  return {
    async run(keys, deadline, work) {
      const acquired: bigint[] = [];
      try {
        for (const key of [...new Set(keys)].toSorted((a, b) => (a < b ? -1 : 1))) {
          await acquire(key, deadline);
          acquired.push(key);
        }
        return await work();
      } finally {
        for (const key of acquired) release(key);
      }
    },
    waiting: () => waiting,
  };
}

/** Waits until it is called from the queue. @throws Aborted at the deadline */
async function waitIn(queue: Set<() => void>, deadline: number): Promise<void> {
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
  }
}
