import { monitorEventLoopDelay } from "node:perf_hooks";
import pLimit, { type LimitFunction } from "p-limit";
import type { Counter } from "../../../services/platform/metrics/counters.ts";
import { overloaded } from "../errors/catalog.ts";
import { maxBatchItemsAtOnce, maxBytesOfBatches, maxBytesOfBodies, maxMemoryOfRequests } from "../limits/limits.ts";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";

/** Refuses requests that would come too late to be of use, and bounds what those under way hold. */
export interface LoadShedding {
  /** Whether more requests would only make all of them late. */
  isOverloaded(): boolean;
  /** Lets a request go on. @throws PublicError 503 under overload, and counts that */
  admit(): void;
  /** Counts an operation from its begin to its end. */
  begin(): void;
  end(): void;
  /** How many operations have begun and not ended. */
  underWay(): number;
  /** The memory that requests take until they are answered, beside their bodies. */
  requests: ByteBudget;
  /** What the bodies of all requests hold, from their first byte until they are answered. */
  bodies: ByteBudget;
  /** What the replies of all batches hold until they are sent. */
  batches: ByteBudget;
  /**
   * Runs an item of a batch when its turn has come: of all batches, some items run at a time for each service, so that one that hangs
   * does not hold up the others.
   */
  runBatchItem<T>(service: object, work: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface LoadLimits {
  /** Requests that may be worked on at once. */
  maxConcurrent: number;
  /** Milliseconds that a turn of the event loop may take, in the median of each of two seconds in a row; 0: any. */
  maxLoopDelayMs: number;
}

/** Milliseconds for which turns of the event loop are sampled before their median is judged. */
const intervalMs = 1_000;
/** Milliseconds between two samples, which the samples include. */
const resolution = 20;
/** Bytes of the largest body that forms and people send. */
const smallBody = 16 * 1024;

/**
 * Watches the operations under way and the event loop; `isOverloaded` is cheap.
 * @param shed counts the requests that are refused
 */
export function createLoadShedding({ maxConcurrent, maxLoopDelayMs }: LoadLimits, shed: Counter): LoadShedding {
  let underWay = 0;
  /** Intervals in a row in which the loop was too slow. */
  let slowIntervals = 0;
  // The median of two intervals in a row: one long turn, such as loading modules or a paused machine, may be the only turn of
  // its interval, and is over when it is judged.
  const delay = monitorEventLoopDelay({ resolution });
  const timer = setInterval(() => {
    const isSlow = maxLoopDelayMs > 0 && delay.percentile(50) / 1e6 - resolution > maxLoopDelayMs;
    slowIntervals = isSlow ? slowIntervals + 1 : 0;
    delay.reset();
  }, intervalMs);
  timer.unref();
  delay.enable();
  const batchItems = new WeakMap<object, LimitFunction>();
  const isOverloaded = () => underWay >= maxConcurrent || slowIntervals >= 2;
  return {
    isOverloaded,
    admit() {
      if (!isOverloaded()) return;
      shed.value++;
      throw overloaded();
    },
    begin: () => void underWay++,
    end: () => void underWay--,
    underWay: () => underWay,
    requests: createByteBudget({ max: maxMemoryOfRequests }, shed),
    bodies: createByteBudget({ max: maxBytesOfBodies, small: smallBody }, shed),
    batches: createByteBudget({ max: maxBytesOfBatches, yields: true }, shed),
    runBatchItem(service, work) {
      let limit = batchItems.get(service);
      if (limit === undefined) batchItems.set(service, (limit = pLimit(maxBatchItemsAtOnce)));
      return limit(work);
    },
    close() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
