import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultCase } from "./fault-case.ts";
import type { Rig } from "./rig.ts";

interface Held {
  /** Memory in RAM, in MB. */
  memory: number;
  descriptors: number;
}

/**
 * Mixed load without a fault for so many minutes. Then no process may have more, beyond noise, than after the first third: the cache and
 * the heap reach their limits in that, and what grows afterwards is a leak. With the default size of the page cache, ten minutes would be
 * too short.
 */
export function soakCase(minutes: number): FaultCase {
  const holdMs = minutes * 60_000;
  let early = Promise.resolve(new Map<string, Held>());
  const settings = { PAGE_CACHE_BYTES: `${8 * 1024 * 1024}`, NODE_OPTIONS: "--max-old-space-size=96" };
  return {
    name: "soak",
    title: "mixed load for --minutes, then memory and descriptors; not part of a full run",
    times: 1,
    harmless: true,
    environment: () => ({ options: { settings } }),
    fault: (rig) => ({
      begin() {
        early = sleep(holdMs / 3).then(() => lookAtAll(rig));
        // Awaited by `check`.
        early.catch(() => {});
      },
      holdMs,
      end() {},
    }),
    async check(rig) {
      const [first, late] = [await early, await lookAtAll(rig)];
      return [...late].flatMap(([name, now]) => {
        const before = first.get(name) as Held;
        // Pages stay in Redis for ten minutes; its own maxmemory limits them.
        const judged = name === "redis" ? { ...now, memory: before.memory } : now;
        return hasGrown(before, judged)
          ? [`${name} grew from ${JSON.stringify(before)} to ${JSON.stringify(now)}`]
          : [];
      });
    },
  };
}

/**
 * Whether a process uses more than noise explains. It may be a fifth and 32 MB larger, since the collector takes its time, and a pool may
 * have 12 descriptors open at one time and not at another.
 */
export function hasGrown(early: Held, late: Held): boolean {
  return late.memory > early.memory * 1.2 + 32 || late.descriptors > early.descriptors + 12;
}

/** The least of several measurements, by process, since memory that is about to be collected is not used. */
async function lookAtAll({ processes, postgres, redis }: Rig): Promise<Map<string, Held>> {
  const running = { ...processes, postmaster: postgres, ...(redis && { redis }) };
  const least = new Map<string, Held>();
  for (let look = 0; look < 20; look++) {
    for (const [name, part] of Object.entries(running)) {
      const now = heldBy(part.pid() as number);
      const { memory, descriptors } = least.get(name) ?? now;
      least.set(name, { memory: Math.min(memory, now.memory), descriptors: Math.min(descriptors, now.descriptors) });
    }
    await sleep(250);
  }
  return least;
}

/** What /proc says of a process. Throws where there is no /proc. */
export function heldBy(pid: number): Held {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { memory: Math.round(Number(kilobytes) / 1_024), descriptors: readdirSync(`/proc/${pid}/fd`).length };
}
