import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { currentSpan, inSpan, type Span } from "./tracing/span.ts";

export interface BatchOptions {
  /** The most items of one batch. */
  maxSize: number;
  /** The fewest milliseconds between the starts of two batches, unless one is full; asked before each. By default none. */
  minIntervalMs?: () => number;
}

/** An item that waits for its batch. */
interface Waiting<T, R> {
  item: T;
  span: Span | undefined;
  resolve(result: R | Promise<R>): void;
  reject(error: unknown): void;
}

/**
 * Does work for many callers, one batch at a time: the items that arrive while a batch is under way form the next one, and the larger
 * a batch is, the less each item costs. A single item waits only for the end of the current turn of the event loop. Equal items are not
 * merged (the gateway's createGroups asks for each key once).
 * @param run does the work of one batch, in the span of its first caller. Returns the results in the order of the items; an error is
 * thrown to each caller.
 * @returns the function that adds an item, and resolves with its result
 */
export function batchCalls<T, R>(
  run: (items: readonly T[]) => Promise<readonly (R | Promise<R>)[]>,
  { maxSize, minIntervalMs = () => 0 }: BatchOptions,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let isRunning = false;
  /** By performance.now(). */
  let startedAt = Number.NEGATIVE_INFINITY;

  async function runAll(): Promise<void> {
    isRunning = true;
    // Items that were read from the network in the same turn join the batch.
    await setImmediate();
    while (waiting.length > 0) {
      const pauseMs = startedAt + minIntervalMs() - performance.now();
      if (pauseMs > 0 && waiting.length < maxSize) await sleep(pauseMs);
      startedAt = performance.now();
      await runBatch(waiting.splice(0, maxSize));
    }
    isRunning = false;
  }

  /** Never rejects. */
  async function runBatch(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await inSpan(batch[0]?.span, () => run(batch.map(({ item }) => item)));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, span: currentSpan(), resolve, reject });
      if (!isRunning) void runAll();
    });
}

/** A function whose callers at the same time share one call of `work`. */
export function shareCalls<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
