import { readFileSync } from "node:fs";
import type { Figures } from "../results/row.ts";
import type { BenchSystem } from "./start-system.ts";

/** The largest resident memory of each process of a system so far, such as "gateway MB"; empty without /proc. */
export function peakMemories(system: Pick<BenchSystem, "pid">): Figures {
  const peaks = Object.entries(files).map(([part, file]) => [`${part} MB`, peakMemory(system.pid(file))]);
  return Object.fromEntries(peaks.filter(([, peak]) => peak !== undefined));
}

const files = {
  gateway: "gateway/main.ts",
  social: "services/social/main.ts",
  account: "services/account/main.ts",
  launcher: "services/local/main.ts",
};

/** The largest resident memory of a process so far, in MB; undefined without /proc. */
export function peakMemory(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return undefined;
  }
}
