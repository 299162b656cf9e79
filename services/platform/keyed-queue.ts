import { aborted, resourceExhausted } from "./errors.ts";
import type { Counter } from "./metrics/instruments.ts";

/**
 * Runs tasks that name the same key one after the other. A task belongs to the first of its keys: the tasks of one owner run in the
 * order in which they came, and wait for each other before they take a key. So each owner has at most one task among those that wait
 * for a key, and an owner with many tasks does not delay the others.
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
  /** How many tasks of one owner may wait for each other. */
  maxPerOwner: number;
  /** How many tasks may wait for all keys together. */
  maxWaiting: number;
}

/** @param refused counts the tasks that were refused because too many waited */
export function createKeyedQueue(
  { maxPerOwner, maxWaiting }: KeyedQueueLimits,
  refused: Counter = { value: 0 },
): KeyedQueue {
  const owners: Queues = new Map();
  const keyed: Queues = new Map();
  let waiting = 0;

  async function acquire(queues: Queues, key: bigint, maxTasks: number, deadline: number): Promise<void> {
    const queue = queues.get(key);
    if (queue === undefined) {
      queues.set(key, new Set());
      return;
    }
    if (queue.size >= maxTasks || waiting >= maxWaiting) {
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

  async function hold<T>(
    queues: Queues,
    keys: readonly bigint[],
    maxTasks: number,
    deadline: number,
    work: () => Promise<T>,
  ) {
    const acquired: bigint[] = [];
    try {
      for (const key of keys) {
        await acquire(queues, key, maxTasks, deadline);
        acquired.push(key);
      }
      return await work();
    } finally {
      for (const key of acquired) release(queues, key);
    }
  }

  return {
    run(keys, deadline, work) {
      const ascending = [...new Set(keys)].toSorted((a, b) => (a < b ? -1 : 1));
      const withKeys = () => hold(keyed, ascending, maxWaiting, deadline, work);
      return hold(owners, keys.slice(0, 1), maxPerOwner, deadline, withKeys);
    },
    waiting: () => waiting,
  };
}

/** The tasks that wait for each key in use. */
type Queues = Map<bigint, Set<() => void>>;

function release(queues: Queues, key: bigint): void {
  const queue = queues.get(key) as Set<() => void>;
  const [next] = queue;
  if (next === undefined) queues.delete(key);
  else {
    // Now, not when its promise is handled: until then the key could be given to two tasks.
    queue.delete(next);
    next();
  }
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
      timer = setTimeout(late, Math.max(0, deadline - performance.now()));
    });
  } finally {
    clearTimeout(timer);
    queue.delete(start);
  }
}
