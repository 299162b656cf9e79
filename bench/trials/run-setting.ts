import { join } from "node:path";
import { largeDataset, smallDataset } from "../dataset/dataset.ts";
import type { Load } from "../load/load.ts";
import type { BenchEnvironment } from "../system/environment.ts";
import { peakMemory } from "../system/memory.ts";
import { judge, type Row } from "./judge.ts";
import type { Plan } from "./plan.ts";
import { runTrial } from "./run-trial.ts";
import type { Setting, Trial } from "./trial.ts";

export interface SettingResult {
  rows: Row[];
  /** The gateway's largest memory over all cases of the setting, in MB; undefined where it cannot be read. */
  gatewayMemory: number | undefined;
}

/** Runs the cases of one setting on one system. */
export async function runSetting(
  environment: BenchEnvironment,
  setting: Setting,
  trials: readonly Trial[],
  load: Load,
  plan: Plan,
  say: (line: string) => void,
): Promise<SettingResult> {
  const measured = await environment.startSystem(root, largeDataset, setting);
  try {
    const context = { ...measured, load, plan, startSmallDataset: () => startSmallDataset(environment, setting) };
    const rows: Row[] = [];
    for (const trial of trials) {
      if (trial.isFlushed && measured.redis?.isOurs === false) {
        say(`LEAVING OUT "${trial.title}": the Redis of REDIS_URL is not ours to flush.`);
        continue;
      }
      say(`measuring ${trial.title}`);
      rows.push(judge(trial, await runTrial(trial, context)));
    }
    return { rows, gatewayMemory: peakMemory(measured.system.pid("gateway/main.ts")) };
  } finally {
    await measured.stop();
  }
}

const root = join(import.meta.dirname, "../..");

async function startSmallDataset(environment: BenchEnvironment, setting: Setting) {
  const { system, stop } = await environment.startSystem(root, smallDataset, setting);
  return { url: system.url, stop };
}
