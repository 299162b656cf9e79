// `node --import tsx bench/compare.ts BASE [--quick] [CASE...]`: the same cases on a commit and on this checkout, in turns.
import { parseArgs } from "node:util";
import { checkOut } from "./compare/check-out.ts";
import { compareSetting } from "./compare/compare-setting.ts";
import { chooseDriver } from "./load/driver.ts";
import { openGround } from "./system/ground.ts";
import { chooseTrials } from "./trials/choose-trials.ts";
import { fullPlan, quickPlan } from "./trials/plan.ts";
import type { Setting } from "./trials/trial.ts";

const say = (line: string) => console.error(line);
const { values, positionals } = parseArgs({ options: { quick: { type: "boolean" } }, allowPositionals: true });
const [reference, ...names] = positionals;
if (reference === undefined) throw new Error("Name the commit or branch to compare with.");
const { trials } = chooseTrials(names);
const { name, load } = chooseDriver();
say(`load: ${name}`);

const base = checkOut(reference);
try {
  const ground = await openGround(say);
  try {
    console.log(`| Case | ${reference} /s | branch /s | ratio | p99 ms |\n| --- | --- | --- | --- | --- |`);
    for (const setting of ["redis", "no Redis", "cache off"] satisfies Setting[]) {
      const chosen = trials.filter((trial) => trial.setting === setting && !trial.isFlushed);
      if (chosen.length === 0) continue;
      await compareSetting(ground, base.root, chosen, load, values.quick ? quickPlan : fullPlan, say);
    }
  } finally {
    await ground.close();
  }
} finally {
  base.remove();
}
