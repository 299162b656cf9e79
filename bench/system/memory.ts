import { readFileSync } from "node:fs";
import type { Figures } from "../results/row.ts";
import type { BenchSystem } from "./start-system.ts";

/** The largest resident memory of each process of a system so far, such as "gateway MB"; empty without /proc. */
export function peakMemories(system: Pick<BenchSystem, "pid">): Figures {
  return memories(system, "VmHWM");
}

/** The resident memory of each process now; empty without /proc. */
export function currentMemories(system: Pick<BenchSystem, "pid">): Figures {
  return memories(system, "VmRSS");
}

function memories(system: Pick<BenchSystem, "pid">, field: Field): Figures {
  const sizes = Object.entries(files).map(([part, file]) => [`${part} MB`, megabytes(system.pid(file), field)]);
  return Object.fromEntries(sizes.filter(([, size]) => size !== undefined));
}

/** proc(5): the largest resident memory, and that of now. */
type Field = "VmHWM" | "VmRSS";

const files = {
  gateway: "gateway/main.ts",
  social: "services/social/main.ts",
  account: "services/account/main.ts",
  launcher: "services/local/main.ts",
};

/** The largest resident memory of a process so far, in MB; undefined without /proc. */
export function peakMemory(pid: number | undefined): number | undefined {
  return megabytes(pid, "VmHWM");
}

function megabytes(pid: number | undefined, field: Field): number | undefined {
  try {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(
      readFileSync(`/proc/${pid}/status`, "utf8"),
    )?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return undefined;
  }
}
