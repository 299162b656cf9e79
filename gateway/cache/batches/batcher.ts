import { currentSpan, inSpan, type Span } from "../../../services/platform/tracing/span.ts";
import type { Deadline } from "../../http/limits/deadline.ts";

/** Asks for the values of some keys, in order; callers share batches. Rejects as its batch does. */
export type Ask<V, K = string> = (keys: readonly K[], deadline: Deadline) => Promise<V[]>;

/** Asks in batches that callers share. */
export interface Batcher<V, K = string> extends Ask<V, K> {
  /** Joins the batch of this turn's callers without a key. Resolves when that batch has ended. */
  join(deadline: Deadline): Promise<unknown>;
}

/** The values of a batch's keys, in order. A value may still be a promise when the batch has ended. */
export type BatchValues<V> = readonly (V | Promise<V>)[];

/** Answers one batch of keys. The deadline is the latest of its callers'. */
type SendBatch<V, K> = (keys: K[], deadline: Deadline) => Promise<BatchValues<V>>;

export interface BatcherOptions<K = string> {
  /** Batches that may be under way at once. Default 1, so that a key of two callers is mostly asked for once. */
  maxConcurrent?: number;
  /**
   * Milliseconds after which a batch under way no longer counts against `maxConcurrent`. Default 100; most answers take a few. If a
   * process of the service hangs, later batches wait no longer than this, and may reach another process.
   */
  stalledMs?: number;
  /** Milliseconds after a batch before the next one is sent, to gather more keys. Default none. */
  gatherMs?: () => number;
  /** Text by which keys are told apart. Default the key itself. */
  textOf?: (key: K) => string;
  /** What a key adds to the size of its batch, and the largest size, which only the keys of a single caller may exceed. Default no limit. */
  size?: { of: (key: K) => number; max: number };
  /** Batches that may be under way at once where the next one is full and would gather nothing by waiting. Default `maxConcurrent`. */
  maxFull?: number;
}

/**
 * Coalesces keys into batches, each key once in its batch. A batch is sent at the end of the turn of the event loop in which its first key came.
 * While `maxConcurrent` batches are under way the next one gathers keys: it is sent a turn after one of them has ended or, when it is full,
 * once fewer than `maxFull` are under way. No key joins a batch that is under way: its answer may have been read before the caller asked (design §5).
 */
export function createBatcher<V, K = string>(
  send: SendBatch<V, K>,
  {
    maxConcurrent = 1,
    stalledMs = 100,
    gatherMs = () => 0,
    textOf = String,
    size,
    maxFull = maxConcurrent,
  }: BatcherOptions<K> = {},
): Batcher<V, K> {
  /** The batches that have not been sent, the oldest first. Keys that none of them has are added to the last one. */
  const unsent = [newBatch<V, K>()];
  /** The unsent batch of each key, by its text; only where there may be several. */
  const batchOf = new Map<string, Batch<V, K>>();
  let isScheduled = false;
  let active = 0;

  /** Sends the next batch at the end of this turn, with all keys that come in until then. */
  function schedule(): void {
    const isFull = unsent.length > 1;
    if (isScheduled || active >= (isFull ? maxFull : maxConcurrent) || !unsent[0]?.isWanted) return;
    isScheduled = true;
    setImmediate(sendNext);
  }

  function sendNext(): void {
    const batch = unsent.shift() as Batch<V, K>;
    if (unsent.length === 0) unsent.push(newBatch());
    if (size !== undefined) for (const text of batch.indices.keys()) batchOf.delete(text);
    isScheduled = false;
    const release = activate();
    schedule();
    const stalled = setTimeout(release, stalledMs);
    void inSpan(batch.span, () => send(batch.keys, batch.deadline))
      .then(batch.resolve, batch.reject)
      .then(() => {
        clearTimeout(stalled);
        const ms = gatherMs();
        if (ms > 0) setTimeout(release, ms);
        else release();
      });
  }

  /** Counts a batch, until the function that it returns is called for the first time. */
  function activate(): () => void {
    active++;
    let isActive = true;
    return () => {
      if (isActive) active--;
      isActive = false;
      // In the next turn of the event loop: this turn sends the replies, and the next requests of busy clients then join the batch.
      setImmediate(schedule);
    };
  }

  /** The batch for these keys of a caller with this deadline. */
  function enter(keys: readonly K[], deadline: Deadline): Batch<V, K> {
    const batch =
      waitingBatch(keys) ?? openBatch(size === undefined ? 0 : keys.reduce((sum, key) => sum + size.of(key), 0));
    if (!batch.isWanted) batch.span = currentSpan();
    batch.isWanted = true;
    if (deadline > batch.deadline) batch.deadline = deadline;
    schedule();
    return batch;
  }

  /** The unsent batch that has the only key already. */
  function waitingBatch(keys: readonly K[]): Batch<V, K> | undefined {
    return size !== undefined && keys.length === 1 ? batchOf.get(textOf(keys[0] as K)) : undefined;
  }

  /** The last batch, or a new one where the last one has no room for keys of this size. */
  function openBatch(addedSize: number): Batch<V, K> {
    let batch = unsent.at(-1) as Batch<V, K>;
    if (batch.isWanted && size !== undefined && batch.size + addedSize > size.max) unsent.push((batch = newBatch()));
    batch.size += addedSize;
    return batch;
  }

  function indexIn(batch: Batch<V, K>, key: K): number {
    const text = textOf(key);
    const index = batch.indices.get(text);
    if (index !== undefined) return index;
    if (size !== undefined) batchOf.set(text, batch);
    batch.indices.set(text, batch.keys.length);
    return batch.keys.push(key) - 1;
  }

  const ask: Ask<V, K> = (keys, deadline) => {
    if (keys.length === 0) return Promise.resolve([]);
    const batch = enter(keys, deadline);
    const indices = keys.map((key) => indexIn(batch, key));
    return batch.values.then((values) => {
      const own = indices.map((index) => values[index] as V | Promise<V>);
      return own.some((value) => value instanceof Promise) ? Promise.all(own) : (own as V[]);
    });
  };
  return Object.assign(ask, { join: (deadline: Deadline) => enter([], deadline).values });
}

interface Batch<V, K> {
  keys: K[];
  /** The index of each key among the keys and the values, by its text. */
  indices: Map<string, number>;
  /** The sum of its keys' sizes. */
  size: number;
  /** Whether a caller waits for it. */
  isWanted: boolean;
  deadline: Deadline;
  values: Promise<BatchValues<V>>;
  resolve(values: BatchValues<V>): void;
  reject(error: unknown): void;
  /** The span in which the batch is sent: the first caller's. */
  span?: Span | undefined;
}

function newBatch<V, K>(): Batch<V, K> {
  const batch = { keys: [] as K[], indices: new Map<string, number>(), size: 0, isWanted: false, deadline: 0 } as Batch<
    V,
    K
  >;
  batch.values = new Promise((resolve, reject) => {
    batch.resolve = resolve;
    batch.reject = reject;
  });
  return batch;
}
