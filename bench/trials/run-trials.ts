import type { Row } from "../results/row.ts";
import { openEnvironment } from "../system/environment.ts";
import { createBaselines } from "./prepare-baselines.ts";
import { type RunContext, runSetting } from "./run-setting.ts";
import type { Setting, Trial } from "./trial.ts";

/** Runs cases, one system for those of each setting. The rows are theirs, and the memory of each system. */
export async function runTrials(
  trials: readonly Trial[],
  settings: readonly Setting[],
  context: Omit<RunContext, "environment" | "baselines">,
): Promise<Row[]> {
  if (trials.length === 0) return [];
  const environment = await openEnvironment(context.say);
  const baselines = createBaselines();
  try {
    const rows: Row[] = [];
    for (const setting of settings) {
      const chosen = trials.filter((trial) => trial.setting === setting);
      if (chosen.length > 0) rows.push(...(await runSetting({ ...context, environment, baselines }, setting, chosen)));
    }
    return rows;
  } finally {
    await baselines.stop();
    await environment.close();
  }
}
