import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap grow to two and a half times its live size before V8 runs the next full collection
 * (docs/decisions/garbage-collection.md). To be called once, when a process starts.
 */
export function growHeapFaster(): void {
  setGrowth(fastPercent);
}

/**
 * A soft limit: the more memory the process takes above this, the sooner V8 collects the heap; from a tenth more on, when it has grown by a
 * fifth. What is not garbage may still take more.
 * @param bytes of resident memory
 */
export function collectSoonerAbove(bytes: number): void {
  let percent = fastPercent;
  setInterval(() => {
    const next = growthPercent(process.memoryUsage.rss() / bytes - 1);
    if (next !== percent) setGrowth(next);
    percent = next;
  }, checkMs).unref();
}

/** By how many per cent the heap grows. @param excess the part of the soft limit by which the process takes more than that */
export function growthPercent(excess: number): number {
  const part = Math.min(1, Math.max(0, excess / slowFrom));
  return Math.round(fastPercent - part * (fastPercent - slowPercent));
}

/** The excess from which on the heap grows by `slowPercent` only. */
const slowFrom = 0.1;

/** By how many per cent of its live size the heap grows, external memory such as buffers included, until the next full collection. */
const fastPercent = 150;
const slowPercent = 20;

/** Milliseconds between two checks; each costs 10 to 20 µs. The process takes longer to grow by a tenth, even under full load. */
const checkMs = 250;

/** V8 reads the flag at the end of each full collection, for the next one. */
function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
