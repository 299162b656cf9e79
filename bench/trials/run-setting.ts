import { join } from "node:path";
import { largeDataset, smallDataset } from "../dataset/dataset.ts";
import type { Load } from "../load/load.ts";
import type { Row } from "../results/row.ts";
import type { BenchEnvironment } from "../system/environment.ts";
import { peakMemories } from "../system/memory.ts";
import type { Plan } from "./plan.ts";
import type { Baselines } from "./prepare-baselines.ts";
import { prepareDraw } from "./prepare-draw.ts";
import { runTrial } from "./run-trial.ts";
import { summarize } from "./summarize.ts";
import type { Setting, Trial } from "./trial.ts";

/** What all cases of a run share. */
export interface RunContext {
  environment: BenchEnvironment;
  baselines: Baselines;
  load: Load;
  plan: Plan;
  say(line: string): void;
}

/** Runs the cases of one setting on one system. The last row is the largest memory of its processes. */
export async function runSetting(
  { environment, baselines, load, plan, say }: RunContext,
  setting: Setting,
  trials: readonly Trial[],
): Promise<Row[]> {
  const measured = await environment.startSystem(root, largeDataset, setting);
  try {
    const startSmall = () => startSmallDataset(environment, setting);
    const context = { ...measured, load, plan, baselines, startSmallDataset: startSmall };
    await warmUp(trials, measured.system.url, load, plan);
    const rows: Row[] = [];
    for (const trial of trials) {
      if (trial.isFlushed && measured.redis?.isOurs === false) {
        say(`LEAVING OUT "${trial.title}": the Redis of REDIS_URL is not ours to flush.`);
        continue;
      }
      say(`measuring ${trial.title}`);
      rows.push(summarize(trial, await runTrial(trial, context)));
    }
    const memory = { name: `memory, ${setting}`, title: `memory at most (${setting})` };
    return [...rows, { ...memory, figures: peakMemories(measured.system) }];
  } finally {
    await measured.stop();
  }
}

async function warmUp(
  [first]: readonly Trial[],
  url: string,
  load: Load,
  { systemWarmUp: seconds }: Plan,
): Promise<void> {
  if (first === undefined) return;
  const { draw } = await prepareDraw(first, url);
  await load(url, draw, { connections: first.connections, seconds });
}

const root = join(import.meta.dirname, "../..");

async function startSmallDataset(environment: BenchEnvironment, setting: Setting) {
  const { system, stop } = await environment.startSystem(root, smallDataset, setting);
  return { url: system.url, stop };
}
