import { setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Pool } from "../platform/postgres/pool.ts";
import { idDistance } from "../platform/rules/ids.ts";
import { findWater } from "./store/statuses/find-water.ts";
import { listPublished, listRemovals } from "./store/statuses/list-changes.ts";

/** Tells all that watch whose statuses may have changed. */
export interface Watch {
  /**
   * Yields user ids, each once, as often as there are any; none at first and every few seconds. A watcher that does not take them gets
   * them together. Ends when the signal is aborted or the process stops.
   * @throws ConnectError Unavailable for a watcher that is too slow, and while the process stops
   */
  follow(signal: AbortSignal): AsyncGenerator<bigint[], void>;
  /** Ends all watchers, for good. */
  stop(): Promise<void>;
}

/**
 * Asks the database for all watchers together, by statements of bounded cost, and only while there are any. What is published while a
 * transaction stays open that is older than `limit` statuses may be told late or not at all: watchers also ask by themselves.
 */
export function createWatch(pool: Pool, log: Log): Watch {
  const watchers = new Set<Watcher>();
  let running: Promise<void> | undefined;
  let isStopped = false;

  async function run(): Promise<void> {
    let look: Look | undefined;
    while (watchers.size > 0 && !isStopped) {
      try {
        // A second earlier: watchers have asked for what was published until they came.
        look ??= createLook(pool, (await findWater(pool, false)) - second);
        const found = await look();
        if (found.size > 0) for (const watcher of watchers) watcher.tell(found);
      } catch (error) {
        log.warn({ err: error }, "watching failed");
        await sleep(failureMs);
      }
      await sleep(intervalMs);
    }
    running = undefined;
  }

  return {
    async *follow(signal) {
      const watcher = new Watcher();
      const end = () => watcher.wake();
      signal.addEventListener("abort", end);
      watchers.add(watcher);
      running ??= run();
      try {
        if (!isStopped) yield [];
        while (!signal.aborted && !isStopped) {
          await watcher.woken(heartbeatMs);
          if (watcher.isTooSlow || isStopped) throw unavailable();
          yield watcher.take();
        }
      } finally {
        watchers.delete(watcher);
        signal.removeEventListener("abort", end);
      }
    },
    async stop() {
      isStopped = true;
      for (const watcher of watchers) watcher.wake();
      await running;
    },
  };
}

/** Milliseconds between two looks: what a reader of a stream waits for, at the most. */
const intervalMs = 50;

const second = idDistance(1_000);

const failureMs = 1_000;
const heartbeatMs = 5_000;

/** Rows of one statement. */
const limit = 2_000;

/** Users that one watcher has not been told of. */
const maxPending = 50_000;

class Watcher {
  #pending = new Set<bigint>();
  #wake: (() => void) | undefined;

  get isTooSlow(): boolean {
    return this.#pending.size > maxPending;
  }

  tell(userIds: ReadonlySet<bigint>): void {
    if (!this.isTooSlow) for (const id of userIds) this.#pending.add(id);
    this.wake();
  }

  wake(): void {
    this.#wake?.();
  }

  take(): bigint[] {
    const userIds = [...this.#pending];
    this.#pending.clear();
    return userIds;
  }

  /** Resolves when there is something to take, when woken, and after so many milliseconds. */
  async woken(ms: number): Promise<void> {
    if (this.#pending.size > 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

/** Gives the users of whom something was published or removed since the last look. */
type Look = () => Promise<Set<bigint>>;

/**
 * Each look begins at the water of the one before, since what is older is complete, and leaves out what was found before.
 * @param from the water when this begins
 */
function createLook(pool: Pool, from: bigint): Look {
  /** By author, the newest id that was told. */
  let told = new Map<bigint, bigint>();
  let toldRemovals = new Map<bigint, string>();
  return async () => {
    const water = await findWater(pool, false);
    const [published, removals] = await Promise.all([
      listPublished(pool, from, limit),
      listRemovals(pool, from, limit),
    ]);
    const found = new Set<bigint>();
    const newest = new Map<bigint, bigint>();
    for (const { authorId, id } of published) {
      if (!newest.has(authorId)) newest.set(authorId, id);
      if (id > (told.get(authorId) ?? -1n)) found.add(authorId);
    }
    for (const { userId, at } of removals) if (toldRemovals.get(userId) !== at) found.add(userId);
    // All of them are at or after `from`, so what is not among them needs not to be remembered.
    told = newest;
    toldRemovals = new Map(removals.map(({ userId, at }) => [userId, at]));
    const oldest = published.length === limit ? published.at(-1)?.id : undefined;
    from = oldest !== undefined && oldest > water ? oldest : water;
    return found;
  };
}
