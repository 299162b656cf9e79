import { monitorEventLoopDelay } from "node:perf_hooks";
import pLimit, { type LimitFunction } from "p-limit";
import type { Counter } from "../../../services/platform/metrics/counters.ts";
import { overloaded } from "../errors/catalog.ts";
import { maxBatchItemsAtOnce, maxBytesOfBatches, maxBytesOfBodies } from "../limits/limits.ts";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";

/** How much this process has to do. */
export interface Load {
  /** Whether more would only make everything late. */
  isTooMuch(): boolean;
  /** Lets a request go on. @throws PublicError when it would be too much, and counts that */
  admit(): void;
  /** Counts a piece of work until its end. */
  begin(): void;
  end(): void;
  /** How many pieces of work have begun and not ended. */
  underWay(): number;
  /** What the bodies of all requests hold, from their first byte until they are answered. */
  bodies: ByteBudget;
  /** What the replies of all batches hold until they are sent. */
  batches: ByteBudget;
  /** Runs the items of all batches, some at a time. */
  runBatchItem: LimitFunction;
  close(): void;
}

export interface LoadLimits {
  /** Requests that may be worked on at once. */
  maxConcurrent: number;
  /** Milliseconds that a turn of the event loop may take, in the middle; 0: any. */
  maxLoopDelayMs: number;
}

/** Milliseconds between two looks at the event loop. */
const interval = 1_000;
/** Bytes of what forms and requests by hand send. */
const smallBody = 16 * 1024;
/** Milliseconds between two samples of it, which the samples include. */
const resolution = 20;

/**
 * Watches the requests under way and the event loop; asking costs next to nothing.
 * @param shed counts those that are refused
 */
export function watchLoad({ maxConcurrent, maxLoopDelayMs }: LoadLimits, shed: Counter): Load {
  let underWay = 0;
  let isSlow = false;
  // The median: one long turn, a garbage collection or a stop of the machine, is over when it is seen.
  const delay = monitorEventLoopDelay({ resolution });
  const look = setInterval(() => {
    isSlow = maxLoopDelayMs > 0 && delay.percentile(50) / 1e6 - resolution > maxLoopDelayMs;
    delay.reset();
  }, interval);
  look.unref();
  delay.enable();
  const isTooMuch = () => underWay >= maxConcurrent || isSlow;
  return {
    isTooMuch,
    admit() {
      if (!isTooMuch()) return;
      shed.value++;
      throw overloaded();
    },
    begin: () => void underWay++,
    end: () => void underWay--,
    underWay: () => underWay,
    bodies: createByteBudget({ max: maxBytesOfBodies, small: smallBody }, shed),
    batches: createByteBudget({ max: maxBytesOfBatches, yields: true }, shed),
    runBatchItem: pLimit(maxBatchItemsAtOnce),
    close() {
      clearInterval(look);
      delay.disable();
    },
  };
}
