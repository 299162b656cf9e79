import { aborted, resourceExhausted } from "./errors.ts";
import type { Counter } from "./metrics/counters.ts";

/**
 * Runs tasks that name the same key one after the other. A task belongs to the first of its keys: the tasks of one owner run in the
 * order in which they came, and the owners take turns, so that no one makes the others wait by asking for much. Those of an owner's
 * tasks that hold another key already take turns with that owner's others, since others wait for that key.
 */
export interface KeyedQueue {
  /**
   * Runs a task while it holds all the keys, of which the first is its owner. They are taken in ascending order, so that no two tasks wait for each other.
   * @param deadline by performance.now(); the task does not start later
   * @throws Aborted when it could not start in time, ResourceExhausted when too many tasks wait
   */
  run<T>(keys: readonly bigint[], deadline: number, work: () => Promise<T>): Promise<T>;
  /** How many tasks wait for a key. */
  waiting(): number;
}

export interface KeyedQueueLimits {
  /** How many tasks of one owner may wait for one key. */
  maxPerKey: number;
  /** How many tasks may wait for all keys together. */
  maxWaiting: number;
}

/** @param refused counts the tasks that were refused because too many waited */
export function createKeyedQueue(
  { maxPerKey, maxWaiting }: KeyedQueueLimits,
  refused: Counter = { value: 0 },
): KeyedQueue {
  /** The tasks that wait for each key in use, by what takes turns there, in the order of the turns. */
  const queues = new Map<bigint, Map<string, Set<() => void>>>();
  let waiting = 0;

  async function acquire(key: bigint, taker: string, deadline: number): Promise<void> {
    const queue = queues.get(key);
    if (queue === undefined) {
      queues.set(key, new Map());
      return;
    }
    const tasks = queue.get(taker) ?? new Set();
    if (tasks.size >= maxPerKey || waiting >= maxWaiting) {
      refused.value++;
      throw resourceExhausted();
    }
    queue.set(taker, tasks);
    waiting++;
    try {
      await waitIn(tasks, deadline);
    } finally {
      waiting--;
    }
  }

  function release(key: bigint): void {
    const queue = queues.get(key) as Map<string, Set<() => void>>;
    for (const [taker, tasks] of queue) {
      queue.delete(taker);
      const [next] = tasks;
      // All of these tasks may have reached their deadlines.
      if (next === undefined) continue;
      // Now: until its promise is handled, the key could be given to it and to another.
      tasks.delete(next);
      if (tasks.size > 0) queue.set(taker, tasks);
      next();
      return;
    }
    queues.delete(key);
  }

  return {
    async run(keys, deadline, work) {
      const acquired: bigint[] = [];
      try {
        for (const key of [...new Set(keys)].toSorted((a, b) => (a < b ? -1 : 1))) {
          await acquire(key, `${keys[0]} ${acquired.length > 0}`, deadline);
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
async function waitIn(tasks: Set<() => void>, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let start = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      start = resolve;
      tasks.add(start);
      const late = () => reject(aborted(new Error("the queue of this key did not move in time")));
      timer = setTimeout(late, deadline - performance.now());
    });
  } finally {
    clearTimeout(timer);
    tasks.delete(start);
  }
}
