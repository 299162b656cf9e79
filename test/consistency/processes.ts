import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../../services/platform/lifecycle.ts";
import { type LaunchedProcess, launch, type Role } from "../support/launch.ts";
import { createHolds, heldReads } from "./holds.ts";
import { type CurrentFault, plantedReads } from "./planted-faults.ts";

/** Starts one process of the system with this environment. What runs in the test's process cannot be killed or paused. */
export type StartProcess = (role: Role, env: NodeJS.ProcessEnv) => Promise<Running | LaunchedProcess>;

export type CheckedProcess = Awaited<ReturnType<typeof superviseProcess>>;

/** A process of a check, which can be disturbed. It keeps its address. */
export async function superviseProcess(name: string, start: () => ReturnType<StartProcess>) {
  let run = await start();
  return {
    name,
    url: run.url,
    async restart() {
      await launched(run).kill();
      run = await start();
    },
    async pause(ms: number) {
      launched(run).signal("SIGSTOP");
      await sleep(ms);
      launched(run).signal("SIGCONT");
    },
    stop: () => run.close(),
  };
}

function launched(run: Running | LaunchedProcess): LaunchedProcess {
  if ("kill" in run) return run;
  throw new Error("only a process of its own can be disturbed");
}

/**
 * Starts the system's processes in this one.
 * @param fault the fault that is planted now, if any
 * @param holds the places where calls can be stopped
 */
export function startHere(fault: CurrentFault, holds = createHolds()): StartProcess {
  return (role, env) => launch(role, env, { breakReads: heldReads(plantedReads(fault), holds) });
}
