import { readFileSync } from "node:fs";

/** The most memory that a process has held in RAM so far, in MB; undefined where /proc does not tell. */
export function peakMemory(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return undefined;
  }
}
