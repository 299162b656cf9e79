import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process, as the system lists it. */
export interface ProcessEntry {
  parent: number;
  /** Program and arguments, separated by spaces; empty for one that has ended and was not waited for. */
  command: string;
}

/** The living process with a pid, or undefined. Other users' processes are found as well. */
export function findProcess(pid: number): ProcessEntry | undefined {
  try {
    return process.platform === "linux" ? readProc(pid) : askPs(pid);
  } catch {
    return undefined;
  }
}

// The files that every user may read. Not /proc/N/cwd: in a container even root may not.
function readProc(pid: number): ProcessEntry {
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { parent: Number(parent), command };
}

// One -o for each column: BSD takes what follows an equals sign, commas and all, for a heading.
function askPs(pid: number): ProcessEntry {
  const options = ["-ww", "-o", "ppid=", "-o", "command=", "-p", `${pid}`];
  const line = execFileSync("ps", options, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [, parent, command = ""] = /^\s*(\d+)\s+(.*)/.exec(line) ?? [];
  return { parent: Number(parent), command: `${command} ` };
}
