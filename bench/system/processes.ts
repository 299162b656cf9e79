import { readdirSync, readFileSync } from "node:fs";

/**
 * Seconds of processor time that some processes and all those below them have used so far, including the ones that have ended;
 * undefined without /proc.
 */
export function processorSeconds(roots: readonly number[]): number | undefined {
  const tree = treeOf(roots);
  if (tree.length === 0) return undefined;
  return tree.reduce(
    (sum, { pid, ticks, ticksOfEnded }) =>
      sum + (runSeconds(pid) ?? ticks / ticksPerSecond) + ticksOfEnded / ticksPerSecond,
    0,
  );
}

/** The id of a process below `root`, or of `root` itself, whose command line contains this; undefined when there is none. */
export function findProcess(root: number, command: string): number | undefined {
  return treeOf([root]).find(({ pid }) => read(`/proc/${pid}/cmdline`)?.includes(command))?.pid;
}

/** The largest resident memory of a process so far, in MB; undefined without /proc. */
export function peakMemory(pid: number | undefined): number | undefined {
  return memory(pid, "VmHWM");
}

/** The resident memory of a process now. */
export function residentMemory(pid: number | undefined): number | undefined {
  return memory(pid, "VmRSS");
}

function memory(pid: number | undefined, name: string): number | undefined {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m");
  const kilobytes = line.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
}

/** The time that the threads of a process have run. Not its ticks: they are sampled, which tells little of an idle process. */
function runSeconds(pid: number): number | undefined {
  const threads = namesIn(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`));
  if (threads.length === 0 || threads.includes(undefined)) return undefined;
  return threads.reduce((sum, stat) => sum + Number(stat?.split(" ")[0]), 0) / 1e9;
}

/** USER_HZ, the same on every Linux. */
const ticksPerSecond = 100;

interface Process {
  pid: number;
  parent: number;
  /** Its own processor time. */
  ticks: number;
  /** That of its ended children. */
  ticksOfEnded: number;
}

function treeOf(roots: readonly number[]): Process[] {
  const processes = listProcesses();
  const found = new Set(processes.filter(({ pid }) => roots.includes(pid)));
  // A set gives what is added to it during the loop as well.
  for (const { pid } of found) for (const child of processes) if (child.parent === pid) found.add(child);
  return [...found];
}

function listProcesses(): Process[] {
  return namesIn("/proc").flatMap((name) => {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : undefined;
    if (stat === undefined) return [];
    // proc(5): the fields after the name, which may hold spaces, begin with the state and the parent.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
    return [
      { pid: Number(name), parent: Number(fields[1]), ticks: user + system, ticksOfEnded: endedUser + endedSystem },
    ];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
