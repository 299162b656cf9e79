import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../../services/platform/lifecycle.ts";
import { type LaunchedProcess, launch, type Role } from "../support/launch.ts";
import { createHolds, heldFreshness, heldParts } from "./holds.ts";
import { type CurrentFault, plantedAnnouncer, plantedFreshness, plantedParts } from "./planted-faults.ts";

/** Starts one process of the system with this environment; only a process of its own can be disturbed. */
export type StartProcess = (role: Role, env: NodeJS.ProcessEnv) => Promise<Running | LaunchedProcess>;

/** A process of a check, that may be disturbed. Its address stays. */
export interface CheckedProcess {
  name: string;
  url: string;
  /** Ends it as a crash would, and starts it again. */
  restart(): Promise<void>;
  /** Stops it for so many milliseconds; it does not notice. */
  pause(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export async function keepProcess(name: string, start: () => ReturnType<StartProcess>): Promise<CheckedProcess> {
  let run = await start();
  return {
    name,
    url: run.url,
    async restart() {
      await apart(run).kill();
      run = await start();
    },
    async pause(ms) {
      apart(run).signal("SIGSTOP");
      await sleep(ms);
      apart(run).signal("SIGCONT");
    },
    stop: () => run.close(),
  };
}

function apart(run: Running | LaunchedProcess): LaunchedProcess {
  if ("kill" in run) return run;
  throw new Error("only a process of its own can be disturbed");
}

/**
 * In this process.
 * @param fault what is built in now, if anything
 * @param holds where what is under way can be held up
 */
export function startHere(fault: CurrentFault, holds = createHolds()): StartProcess {
  const changeFreshness = plantedFreshness(fault);
  return (role, env) =>
    launch(role, env, {
      changeFreshness: (sound) => changeFreshness(heldFreshness(sound, holds)),
      changeAnnouncer: plantedAnnouncer(fault),
      cacheParts: heldParts(plantedParts(fault, Number(env.FRESHNESS_MS)), holds),
    });
}
