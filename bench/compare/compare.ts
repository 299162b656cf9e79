import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Load } from "../load/load.ts";
import { openEnvironment } from "../system/environment.ts";
import type { Plan } from "../trials/plan.ts";
import type { Setting, Trial } from "../trials/trial.ts";
import { checkOut } from "./check-out.ts";
import { compareSetting } from "./compare-setting.ts";

/**
 * Runs cases on another checkout and on this one in turns, and prints a row for each.
 * @param against the folder of the other checkout, with its packages installed; or a commit or branch of this repository
 */
export async function compare(
  against: string,
  trials: readonly Trial[],
  load: Load,
  plan: Plan,
  say: (line: string) => void,
): Promise<void> {
  const base = existsSync(join(against, "services/local/main.ts"))
    ? { root: resolve(against), remove: () => {} }
    : checkOut(against);
  try {
    const environment = await openEnvironment(say);
    try {
      console.log(`| Case | ${against} /s | here /s | ratio (rounds) | p99 ms |\n| --- | --- | --- | --- | --- |`);
      for (const setting of ["redis", "no Redis", "cache off"] satisfies Setting[]) {
        const chosen = trials.filter((trial) => trial.setting === setting);
        if (chosen.length > 0) await compareSetting(environment, base.root, chosen, load, plan, say);
      }
    } finally {
      await environment.close();
    }
  } finally {
    base.remove();
  }
}
