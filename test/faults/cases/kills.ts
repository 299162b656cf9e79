import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "../../support/launch.ts";
import type { Fault, FaultCase } from "../fault-case.ts";
import type { Rig } from "../rig.ts";

/** kill -9 of each process, and shutdowns of Postgres. The supervisor restarts each process, the runner Redis. */
export const kills: readonly FaultCase[] = [
  ...(["gateway", "account", "social"] as const).map(
    (role): FaultCase => ({
      name: `kill-${role}`,
      title: `kill -9 of the ${role === "gateway" ? "gateway" : `${role} service`}`,
      times: 20,
      ends: [role],
      ...(role === "gateway" && { alsoAllowed: ["broken"] }),
      fault: ({ processes }) => killing(() => processes[role].pid()),
    }),
  ),
  {
    name: "kill-postgres",
    title: "kill -9 of the postmaster",
    times: 20,
    ends: ["Postgres"],
    fault: ({ postgres }) => endingPostgres(postgres, "SIGKILL"),
  },
  {
    name: "quit-postgres",
    title: "immediate shutdown of Postgres (SIGQUIT)",
    times: 5,
    ends: ["Postgres"],
    fault: ({ postgres }) => endingPostgres(postgres, "SIGQUIT"),
  },
  {
    name: "restart-postgres",
    title: "fast restart of Postgres (SIGINT)",
    times: 5,
    ends: ["Postgres"],
    fault: ({ postgres }) => endingPostgres(postgres, "SIGINT"),
  },
  {
    name: "kill-redis",
    title: "kill -9 of Redis, started again empty",
    times: 20,
    needs: "Redis",
    harmless: true,
    fault: ({ redis }) => ({
      begin: () => redis?.kill(),
      holdMs: 300,
      end: () => redis?.restart(),
    }),
  },
];

/** The process that the supervisor has started last; waits until there is one. */
async function pidOf(find: () => number | undefined): Promise<number> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const pid = find();
    if (pid !== undefined) return pid;
    await sleep(20);
  }
  throw new Error("a process was not started again within 20 s");
}

function killing(find: () => number | undefined): Fault {
  return {
    begin: async () => void process.kill(await pidOf(find), "SIGKILL"),
    holdMs: 0,
    end: () => {},
  };
}

function endingPostgres(postgres: Rig["postgres"], signal: NodeJS.Signals): Fault {
  return { begin: () => void process.kill(postgres.pid(), signal), holdMs: 0, end: () => {} };
}

/** The id of a process by its role. */
export function pidOfRole({ processes }: Rig, role: Role): Promise<number> {
  return pidOf(() => processes[role].pid());
}
