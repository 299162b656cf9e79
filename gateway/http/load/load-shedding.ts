import { monitorEventLoopDelay } from "node:perf_hooks";
import pLimit from "p-limit";
import type { Counter } from "../../../services/platform/metrics/instruments.ts";
import { oncePer } from "../../../services/platform/once-per.ts";
import { overloaded } from "../errors/catalog.ts";
import {
  maxBatchItemsAtOnce,
  maxBatchReadsAtOnce,
  maxBytesOfBatches,
  maxBytesOfBodies,
  maxMemoryOfRequests,
} from "../limits/limits.ts";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";

/** Refuses requests that could not be answered in time, and limits the memory of those under way. */
export interface LoadShedding {
  /** Whether further requests have to be refused, because they would only delay all others. */
  isOverloaded(): boolean;
  /** Admits a request. @throws PublicError 503 under overload, and counts that */
  admit(): void;
  /** Counts an operation as running, until `end`. */
  begin(): void;
  end(): void;
  /** How many operations are running. */
  underWay(): number;
  /** The memory that requests take until they are answered, beside their bodies. */
  requests: ByteBudget;
  /** The memory of the bodies of all requests, from their first byte until they are answered. */
  bodies: ByteBudget;
  /** The memory of the replies of all batches, until they are sent. */
  batches: ByteBudget;
  /**
   * Runs an item of a batch when its turn has come: a limited number of items of all batches run at a time for each service, so that
   * a service that hangs does not delay the others.
   * @param isCached whether it reads what is cached
   */
  runBatchItem<T>(service: object, isCached: boolean, work: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface LoadLimits {
  /** Requests that may be worked on at once. */
  maxConcurrent: number;
  /** Milliseconds that a turn of the event loop may take, as the median of each of two consecutive seconds; 0: any. */
  maxLoopDelayMs: number;
}

/** Milliseconds for which turns of the event loop are sampled before their median is judged. */
const intervalMs = 1_000;
/** Milliseconds between two samples; each sample includes them, so they are subtracted. */
const resolutionMs = 100;
/** Bytes of the largest body that may use the whole budget: forms and texts of users are smaller. */
const smallBody = 16 * 1024;

/**
 * Watches the operations under way and the event loop; `isOverloaded` is cheap.
 * @param shed counts the requests that are refused
 */
export function createLoadShedding({ maxConcurrent, maxLoopDelayMs }: LoadLimits, shed: Counter): LoadShedding {
  let underWay = 0;
  /** Consecutive intervals in which the loop was too slow. */
  let slowIntervals = 0;
  // The median of two consecutive intervals: one long turn, such as loading modules or a paused machine, may be the only turn of
  // its interval, and has ended when it is judged.
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let hadRequests = false;
  let timer: NodeJS.Timeout | undefined;
  /** Begins with a request and ends when none came any more: an idle process needs not to wake up for it. */
  function watchLoop(): void {
    delay.enable();
    timer = setInterval(() => {
      const isSlow = maxLoopDelayMs > 0 && delay.percentile(50) / 1e6 - resolutionMs > maxLoopDelayMs;
      slowIntervals = isSlow ? slowIntervals + 1 : 0;
      delay.reset();
      if (!hadRequests && underWay === 0 && !isSlow) stopWatching();
      hadRequests = false;
    }, intervalMs);
    timer.unref();
  }
  function stopWatching(): void {
    clearInterval(timer);
    timer = undefined;
    delay.disable();
  }
  const batchItems = oncePer((_service: object) => pLimit(maxBatchItemsAtOnce));
  const batchReads = oncePer((_service: object) => pLimit(maxBatchReadsAtOnce));
  const isOverloaded = () => {
    hadRequests = true;
    if (timer === undefined) watchLoop();
    return underWay >= maxConcurrent || slowIntervals >= 2;
  };
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
    runBatchItem: (service, isCached, work) => (isCached ? batchReads : batchItems)(service)(work),
    close: stopWatching,
  };
}
