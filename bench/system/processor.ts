import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Figures } from "../results/row.ts";
import type { BenchSystem } from "./start-system.ts";

const parts = ["gateway", "social", "account", "Postgres"] as const;

/** Seconds of processor time by part of the system; undefined without /proc. */
export type ProcessorTime = Record<(typeof parts)[number], number | undefined>;

/**
 * The processor time of each part so far.
 * @param home the folder of the Postgres that the system uses
 */
export function processorTime(system: Pick<BenchSystem, "pid">, home: string): ProcessorTime {
  return {
    gateway: secondsOf(system.pid("gateway/main.ts")),
    social: secondsOf(system.pid("services/social/main.ts")),
    account: secondsOf(system.pid("services/account/main.ts")),
    Postgres: postgresSeconds(home),
  };
}

/**
 * The processor time of each part for a request, such as "gateway µs"; parts whose time cannot be read are left out.
 * @param turns the times before and after, and the number of requests between them
 */
export function microsecondsPerRequest(turns: readonly [ProcessorTime, ProcessorTime, number][]): Figures {
  const requests = turns.reduce((sum, [, , count]) => sum + count, 0);
  const known = parts.filter((part) => turns.every(([before, after]) => before[part] !== undefined && after[part]));
  return Object.fromEntries(
    known.map((part) => {
      const used = turns.reduce((sum, [before, after]) => sum + ((after[part] ?? 0) - (before[part] ?? 0)), 0);
      return [`${part} µs`, (used * 1e6) / requests];
    }),
  );
}

/** Seconds of processor time that one process has used so far; undefined without /proc, and when there is none. */
export function processSeconds(pid: number | undefined): number | undefined {
  return secondsOf(pid);
}

/** The server, its running children, and those that have ended. */
function postgresSeconds(home: string): number | undefined {
  try {
    const server = Number(readFileSync(join(home, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
    const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === server);
    return [`${server}`, ...children].reduce((sum, pid) => sum + (secondsOf(pid, pid === `${server}`) ?? 0), 0);
  } catch {
    return undefined;
  }
}

function parentOf(pid: string): number | undefined {
  return Number(fieldsOf(pid)?.[1]);
}

/** @param withChildren whether to add the time of children that have ended */
function secondsOf(pid: number | string | undefined, withChildren = false): number | undefined {
  const fields = fieldsOf(pid);
  if (fields === undefined) return undefined;
  const ticks = fields.slice(11, withChildren ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
}

/**
 * The fields of /proc/PID/stat after the name, which may hold spaces (proc(5)): state, parent, …; undefined when there is no such
 * process.
 */
function fieldsOf(pid: number | string | undefined): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** USER_HZ, the same on every Linux. */
const ticksPerSecond = 100;
