import { currentSpan, inSpan, type Span } from "../../../services/platform/tracing/span.ts";
import type { Deadline } from "../../http/limits/deadline.ts";

/** Asks for the values of some keys, in order; callers share batches. Rejects as its batch does. */
export type Ask<V> = (keys: readonly string[], deadline: Deadline) => Promise<V[]>;

/** Asks in batches that callers share. */
export interface Batcher<V> extends Ask<V> {
  /** Resolves when a batch that is sent from now on has ended, whatever its keys: the one that this turn's callers share. */
  join(deadline: Deadline): Promise<unknown>;
}

/** The values of a batch's keys, in order. A value may still be a promise when the batch has ended. */
export type BatchValues<V> = readonly (V | Promise<V>)[];

/** Answers one batch of keys. The deadline is the latest of its callers'. */
type SendBatch<V> = (keys: string[], deadline: Deadline) => Promise<BatchValues<V>>;

export interface BatcherOptions {
  /** Batches that may be under way at once. Default 1, so that a key of two callers is mostly asked for once. */
  maxConcurrent?: number;
  /**
   * Milliseconds after which a batch under way no longer counts as one. Default 100: an answer takes a few. If a process of
   * the service hangs, later batches, which may reach another process, wait no longer than this.
   */
  stalledMs?: number;
  /** Milliseconds after a batch before the next one is sent, to gather more keys. Default none. */
  gatherMs?: () => number;
}

/**
 * Coalesces keys into batches, each key once. A batch is sent at the end of the turn of the event loop in which its first key came.
 * While `maxConcurrent` batches are under way it gathers keys until a turn after one of them has ended. No key joins a batch that is
 * under way: its answer may have been read before the caller asked (design §5).
 */
export function createBatcher<V>(
  send: SendBatch<V>,
  { maxConcurrent = 1, stalledMs = 100, gatherMs = () => 0 }: BatcherOptions = {},
): Batcher<V> {
  let next = newBatch<V>();
  let isScheduled = false;
  let active = 0;

  /** Sends the next batch at the end of this turn, with whatever else comes in until then. */
  function schedule(): void {
    if (isScheduled || active >= maxConcurrent || !next.isWanted) return;
    isScheduled = true;
    setImmediate(sendNext);
  }

  function sendNext(): void {
    const batch = next;
    next = newBatch();
    isScheduled = false;
    const release = activate();
    const stalled = setTimeout(release, stalledMs);
    void inSpan(batch.span, () => send([...batch.indices.keys()], batch.deadline))
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
      // A turn later: this one sends the replies, which busy clients answer with their next requests, and those come along.
      setImmediate(schedule);
    };
  }

  /** The batch that is sent next, for a caller with this deadline. */
  function enter(deadline: Deadline): Batch<V> {
    if (!next.isWanted) next.span = currentSpan();
    next.isWanted = true;
    if (deadline > next.deadline) next.deadline = deadline;
    schedule();
    return next;
  }

  const ask: Ask<V> = (keys, deadline) => {
    if (keys.length === 0) return Promise.resolve([]);
    const batch = enter(deadline);
    const indices = keys.map((key) => indexOf(key, batch.indices));
    return batch.values.then((values) => {
      const own = indices.map((index) => values[index] as V | Promise<V>);
      return own.some((value) => value instanceof Promise) ? Promise.all(own) : (own as V[]);
    });
  };
  return Object.assign(ask, { join: (deadline: Deadline) => enter(deadline).values });
}

interface Batch<V> {
  /** The place of each key among the values. */
  indices: Map<string, number>;
  /** Whether a caller waits for it. */
  isWanted: boolean;
  deadline: Deadline;
  values: Promise<BatchValues<V>>;
  resolve(values: BatchValues<V>): void;
  reject(error: unknown): void;
  /** The span in which the batch is sent: the first caller's. */
  span?: Span | undefined;
}

function newBatch<V>(): Batch<V> {
  const batch = { indices: new Map<string, number>(), isWanted: false, deadline: 0 } as Batch<V>;
  batch.values = new Promise((resolve, reject) => {
    batch.resolve = resolve;
    batch.reject = reject;
  });
  return batch;
}

function indexOf(key: string, indices: Map<string, number>): number {
  const index = indices.get(key) ?? indices.size;
  if (index === indices.size) indices.set(key, index);
  return index;
}
