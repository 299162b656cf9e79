import { readFileSync } from "node:fs";
import type { Fault, FaultCase } from "../fault-case.ts";
import { pidOfRole } from "./kills.ts";

/** Each process is stopped for 20 s, as on a machine that swaps, and then continues. */
export const pauses: readonly FaultCase[] = [
  ...(["gateway", "account", "social"] as const).map(
    (role): FaultCase => ({
      name: `pause-${role}`,
      title: `SIGSTOP of the ${role} for 20 s, then SIGCONT`,
      times: 1,
      fault: (rig) => pausing(async () => [await pidOfRole(rig, role)]),
    }),
  ),
  {
    name: "pause-postgres",
    title: "SIGSTOP of the postmaster and all that it has forked for 20 s, then SIGCONT",
    times: 1,
    fault: ({ postgres }) => pausing(async () => [postgres.pid(), ...childrenOf(postgres.pid())]),
  },
  {
    name: "pause-redis",
    title: "SIGSTOP of Redis for 20 s, then SIGCONT",
    times: 1,
    needs: "Redis",
    harmless: true,
    fault: ({ redis }) => pausing(async () => (redis === undefined ? [] : [redis.pid()])),
  },
];

function pausing(find: () => Promise<number[]>): Fault {
  let pids: number[] = [];
  return {
    async begin() {
      // The parent first: then there are no new children.
      pids = await find();
      for (const pid of pids) process.kill(pid, "SIGSTOP");
    },
    holdMs: 20_000,
    end() {
      for (const pid of pids.toReversed()) process.kill(pid, "SIGCONT");
    },
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}
