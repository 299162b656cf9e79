import { setTimeout as sleep } from "node:timers/promises";
import { createConcurrencyLimit, type Depth } from "../platform/concurrency-limit.ts";
import { createKeyedQueue } from "../platform/keyed-queue.ts";
import type { Counters } from "../platform/metrics/instruments.ts";
import { isLockTimeout, isRetriable } from "../platform/postgres/failures.ts";

/** Runs writes in the order of their authors' queues, and again after a conflict. */
export interface WriteQueue {
  /**
   * Runs a write when no earlier one of these authors is under way in this process.
   * @param authorIds the users whose rows it locks, as far as they are known before; the first is the user who writes
   * @param attempt one transaction; it gets the milliseconds that its statements may wait for a lock
   * @param inBatch is tried first, outside the concurrency limit, since it shares one transaction with other writes; resolves to undefined
   * when it did nothing
   * @throws Aborted or the attempt's last error when it conflicted each time, ResourceExhausted when too many writes wait
   */
  run<T>(
    authorIds: readonly bigint[],
    attempt: (lockTimeoutMs: number) => Promise<T>,
    inBatch?: () => Promise<T | undefined>,
  ): Promise<T>;
  /** Runs one transaction of several writes within the concurrency limit. */
  runInSlot<T>(task: (lockTimeoutMs: number) => Promise<T>): Promise<T>;
  depth(): Depth;
}

/**
 * The writes of an author wait in that author's queue, where they use no connection. When the first one finds the row locked by
 * another process, it gives its slot back, and tries again among the few that may wait for locks.
 */
export function createWriteQueue(refusals: Counters): WriteQueue {
  const authors = createKeyedQueue({ maxPerOwner: 200, maxWaiting: 5_000 }, refusals.of("author-writes"));
  const slots = createConcurrencyLimit(maxConcurrent, 1_000, refusals.of("writes"));
  const blocked = createConcurrencyLimit(maxBlocked, 1_000, refusals.of("blocked-writes"));

  async function repeat<T>(deadline: number, attempt: (lockTimeoutMs: number) => Promise<T>): Promise<T> {
    /** The error of an attempt that has waited too long for a lock. */
    let lockTimeout: unknown;
    const first = () => slots.run(() => attempt(lockMs));
    const further = () => {
      if (performance.now() >= deadline) throw lockTimeout;
      return slots.run(() => attempt(blockedLockMs));
    };
    for (let conflicts = 0; ; ) {
      try {
        return await (lockTimeout === undefined ? first() : blocked.run(async () => further()));
      } catch (error) {
        if (isLockTimeout(error) && performance.now() < deadline) lockTimeout = error;
        else if (!isRetriable(error) || ++conflicts === maxConflicts) throw error;
        // Jitter: the other transaction may be trying again as well.
        else await sleep(Math.random() * 20 * conflicts);
      }
    }
  }

  return {
    run(authorIds, attempt, inBatch) {
      const deadline = performance.now() + maxWaitMs;
      return authors.run(authorIds, deadline, async () => (await inBatch?.()) ?? repeat(deadline, attempt));
    },
    runInSlot: (task) => slots.run(() => task(lockMs)),
    depth() {
      const { running, waiting } = slots.depth();
      return { running, waiting: waiting + blocked.depth().waiting + authors.waiting() };
    },
  };
}

/** Fewer than the pool has connections: some are left for reads. */
const maxConcurrent = 8;

/** How many of these may wait for a lock for longer than lockMs. */
const maxBlocked = 2;

/** Milliseconds: writes of several processes for the same authors usually wait for a few. */
const lockMs = 100;

/** Milliseconds, so that many authors whose rows other processes lock are tried in turn. */
const blockedLockMs = 250;

/** Milliseconds that a write waits for others at most: less than its caller, who can try again. */
const maxWaitMs = 8_000;

const maxConflicts = 6;
