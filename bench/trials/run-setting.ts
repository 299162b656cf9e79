import { join } from "node:path";
import type { Load } from "../load/load.ts";
import type { Ground } from "../system/ground.ts";
import { peakMemory } from "../system/memory.ts";
import { largeTown, smallTown } from "../town/town.ts";
import { judge, type Row } from "./judge.ts";
import type { Plan } from "./plan.ts";
import { runTrial } from "./run-trial.ts";
import type { Setting, Trial } from "./trial.ts";

export interface SettingResult {
  rows: Row[];
  /** MB at most, of the gateway over all cases of the setting; undefined where the system does not tell. */
  gatewayMemory: number | undefined;
}

/** Runs the cases of one setting on one system. */
export async function runSetting(
  ground: Ground,
  setting: Setting,
  trials: readonly Trial[],
  load: Load,
  plan: Plan,
  say: (line: string) => void,
): Promise<SettingResult> {
  const placed = await ground.place(root, largeTown, setting);
  try {
    const stage = { ...placed, load, plan, startSmallTown: () => startSmallTown(ground, setting) };
    const rows: Row[] = [];
    for (const trial of trials) {
      if (trial.isFlushed && placed.redis?.isOurs === false) {
        say(`LEAVING OUT "${trial.title}": the Redis of REDIS_URL is not ours to flush.`);
        continue;
      }
      say(`measuring ${trial.title}`);
      rows.push(judge(trial, await runTrial(trial, stage)));
    }
    return { rows, gatewayMemory: peakMemory(placed.system.pid("gateway/main.ts")) };
  } finally {
    await placed.stop();
  }
}

const root = join(import.meta.dirname, "../..");

async function startSmallTown(ground: Ground, setting: Setting) {
  const { system, stop } = await ground.place(root, smallTown, setting);
  return { url: system.url, stop };
}
