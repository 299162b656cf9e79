import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "../support/launch.ts";
import type { FaultCase } from "./fault-case.ts";
import type { Rig } from "./rig.ts";
import { type CaseOptions, type Outcome, runCase } from "./run-case.ts";

/** The resources of a process at a moment. */
export interface Held {
  /** Memory in RAM, in MB. */
  memory: number;
  descriptors: number;
}

export interface Growth {
  name: string;
  /** After the first third, when caches and pools are full. */
  early: Held;
  late: Held;
  grew: boolean;
}

/**
 * The cache and the heap reach their limits in the first third; what grows after that is a leak. With the default size of the
 * page cache, ten minutes would be too short for that.
 */
export const soakSettings: NodeJS.ProcessEnv = {
  PAGE_CACHE_BYTES: `${8 * 1024 * 1024}`,
  NODE_OPTIONS: "--max-old-space-size=96",
};

/** Megabytes by which a process may be larger at the end, in addition to a fifth: the collector takes its time. */
const memoryNoise = 32;
/** Descriptors that a pool may have open at one time and not at another. */
const descriptorNoise = 12;

/**
 * Mixed load without a fault for so many minutes. Then no process may have more, beyond noise, than after the first third. The
 * least of several measurements counts, since memory that is about to be collected is not used.
 */
export async function soak(
  rig: Rig,
  minutes: number,
  options: CaseOptions,
): Promise<{ outcome: Outcome; growth: Growth[] }> {
  const early = new Map<string, Held>();
  const third = (minutes * 60_000) / 3;
  const calm: FaultCase = {
    name: "soak",
    title: `mixed load for ${minutes} minutes, and nothing broken`,
    times: 2,
    harmless: true,
    fault: (rig, time) => ({
      begin() {},
      holdMs: time === 0 ? third : third * 2,
      async end() {
        if (time === 0) for (const [name, held] of await lookAtAll(rig)) early.set(name, held);
      },
    }),
  };
  const outcome = await runCase(rig, calm, { ...options, times: 2 });
  const late = await lookAtAll(rig);
  const growth = [...late].map(([name, now]) => {
    const before = early.get(name) as Held;
    // Pages stay in Redis for ten minutes; its own maxmemory limits them.
    const judged = name === "redis" ? { ...now, memory: before.memory } : now;
    return { ...growthOf(name, before, judged), late: now };
  });
  return { outcome, growth };
}

/** Whether a process uses more memory or files than noise explains. */
export function growthOf(name: string, early: Held, late: Held): Growth {
  const grew = late.memory > early.memory * 1.2 + memoryNoise || late.descriptors > early.descriptors + descriptorNoise;
  return { name, early, late, grew };
}

async function lookAtAll({ processes, postgres, redis }: Rig): Promise<Map<string, Held>> {
  const roles: Role[] = ["gateway", "account", "social"];
  const pids = roles.map((role): [string, number | undefined] => [role, processes[role].pid()]);
  pids.push(["postmaster", postgres.pid()]);
  if (redis !== undefined) pids.push(["redis", redis.pid()]);
  const least = new Map<string, Held>();
  for (let look = 0; look < 20; look++) {
    for (const [name, pid] of pids) {
      const now = heldBy(pid as number);
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
  return {
    memory: Math.round(Number(kilobytes) / 1_024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}
