// How often V8 collects the whole heap of a process, below and above its soft limit.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { growthPercent } from "../../services/platform/heap-growth.ts";

const Heap = suite("the heap of a process");
const file = new URL("../../services/platform/heap-growth.ts", import.meta.url).href;

/** The number of full collections while 6 million objects come and go, beside 400,000 that live. */
async function collections(softLimitMb: number): Promise<number> {
  const work = `
    import { PerformanceObserver, constants } from "node:perf_hooks";
    import { setImmediate, setTimeout } from "node:timers/promises";
    import { collectSoonerAbove, growHeapFaster } from "${file}";
    growHeapFaster();
    collectSoonerAbove(${softLimitMb} * 1024 * 1024);
    const live = Array.from({ length: 400_000 }, (_, index) => ({ index, next: [index] }));
    // Longer than the limit takes to be checked; and the next collection sets when there is another one.
    await setTimeout(600);
    let full = 0;
    new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++;
    }).observe({ entryTypes: ["gc"] });
    // They live long enough to be in the old generation when they become garbage.
    const recent = [];
    for (let count = 0; count < 300; count++) {
      recent[count % 15] = Array.from({ length: 20_000 }, (_, index) => ({ index, next: [index] }));
      await setImmediate();
    }
    await setTimeout(50);
    console.log(live.length && full);`;
  const options = [
    "--import",
    "tsx",
    "--max-old-space-size=256",
    "--max-semi-space-size=4",
    "--input-type=module",
    "-e",
    work,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return Number(stdout);
}

Heap("is collected sooner above the soft limit", async () => {
  const [above, below] = await Promise.all([collections(1), collections(1_000)]);
  assert.ok(below > 0, "also below the limit");
  assert.ok(above > 1.5 * below, `${above} collections above the limit, ${below} below`);
});

Heap("grows less, the further the process is above the soft limit", () => {
  assert.equal([-0.5, 0, 0.05, 0.1, 2].map(growthPercent), [150, 150, 85, 20, 20]);
});

Heap.run();
