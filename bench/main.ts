// `npm run bench [-- --quick] [-- CASE...]`: runs the measurements, prints their figures, and each goal beside the last run.
// With `--against`, runs the cases of two checkouts in turns. Results that count are in RESULTS.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuse } from "./command-line.ts";
import { compare } from "./compare/compare.ts";
import { chooseDriver } from "./load/driver.ts";
import { measurements } from "./measurements.ts";
import { barsOf, terminalBars } from "./results/bars.ts";
import { goalTable } from "./results/goal-table.ts";
import { type Comparison, compareWithLastRun } from "./results/last-run.ts";
import type { Row } from "./results/row.ts";
import { svgBars } from "./results/svg-bars.ts";
import { describeRun } from "./system/describe-run.ts";
import { startRedis } from "./system/redis.ts";
import { caseNames, chooseTrials } from "./trials/choose-trials.ts";
import { fullPlan, quickPlan } from "./trials/plan.ts";
import { runTrials } from "./trials/run-trials.ts";
import { plainTable, table } from "./trials/table.ts";
import type { Setting } from "./trials/trial.ts";

const folder = join(import.meta.dirname, "../.roost/bench");
const say = (line: string) => console.error(line);
const help = `usage: npm run bench [-- [--quick] [--against CHECKOUT] [--rounds N] [CASE…]]

Measures every case, or those that are named, and prints each figure that has a goal beside the last run.
  --quick             shorter and fewer runs, without flushes and attacks: figures for a rough comparison
  --against CHECKOUT  runs the cases on another checkout too, in turns, and prints both: a folder, a commit or a branch
  --rounds N          how many turns each server has (3; with --quick 1)

Cases: ${caseNames.join(", ")}

  npm run bench
  npm run bench -- --quick ${caseNames[0]}
  npm run bench -- --against main --rounds 9 ${caseNames[0]}
  npm run bench -- --against . ${caseNames[0]}    # this checkout against itself: shows the noise of this machine`;
const { values, positionals } = readCommandLine(help, {
  options: { quick: { type: "boolean" }, against: { type: "string" }, rounds: { type: "string" } },
  allowPositionals: true,
});
const stray = positionals.find((name) => !caseNames.includes(name));
if (stray !== undefined) refuse(help, `There is no case "${stray}".`);
const standard = values.quick ? quickPlan : fullPlan;
const chosen = chooseTrials(positionals, standard);
const rounds = Number(values.rounds ?? standard.rounds);
if (!Number.isInteger(rounds) || rounds < 1) refuse(help, "--rounds takes a whole number.");
const plan = { ...standard, rounds };
const driver = chooseDriver();
say(`load: ${driver.name}`);

if (values.against !== undefined) {
  await compareWith(values.against);
  process.exit();
}
const start = performance.now();
const hasRedis = await canStartRedis();
const settings: Setting[] = hasRedis ? ["redis", "no Redis", "cache off"] : ["no Redis", "cache off"];
const rows = await runTrials(chosen.trials, settings, { load: driver.load, plan, say });
console.log(`\n${describeRun(driver.name)}\n`);
if (rows.length > 0) console.log(`${table(rows.filter(isCase))}\n`);
const others: Row[] = rows.filter((row) => !isCase(row));
for (const name of chosen.others) {
  say(`measuring ${name}`);
  others.push(...(await measure(name)));
}
if (others.length > 0) console.log(`${plainTable(others)}\n`);
const isCalled = values.quick ? "last-quick.json" : "last.json";
const comparisons = compareWithLastRun([...rows.filter(isCase), ...others], join(folder, isCalled));
console.log(goalTable(comparisons));
if (rows.length > 0) draw(comparisons);
const minutes = (performance.now() - start) / 60_000;
console.log(`\n${minutes.toFixed(1)} minutes${values.quick ? "; one short round: to compare roughly" : ""}`);
if (positionals.length === 0 && plan.leavesOut.length > 0)
  console.log(`LEFT OUT: ${plan.leavesOut.join(", ")} (run when named)`);
if (!hasRedis)
  console.log("LEFT OUT, THE ROWS THAT NEED REDIS: there is no redis-server on the path and no REDIS_URL.");

/** A measurement that fails becomes a row that says so, and the run continues. */
async function measure(name: string): Promise<Row[]> {
  try {
    return (await measurements[name]?.(plan)) ?? [];
  } catch (error) {
    process.exitCode = 1;
    return [{ name, title: name, figures: {}, notes: [`FAILED: ${error}`] }];
  }
}

function isCase({ figures }: Row): boolean {
  return figures["requests/s"] !== undefined;
}

/** Runs the cases on another checkout and on this one in turns. */
async function compareWith(against: string): Promise<void> {
  const [measurement] = positionals.length === 0 ? [] : chosen.others;
  if (measurement !== undefined) refuse(help, `${measurement} has no turns: run it in each checkout by itself.`);
  console.log(`${describeRun(driver.name)}, ${plan.rounds} × ${plan.seconds} s each\n`);
  await compare(
    against,
    chosen.trials.filter(({ isFlushed }) => !isFlushed),
    driver.load,
    plan,
    say,
  );
}

/** Bars of this run and the last one of the same length, in the terminal and in an SVG file. */
function draw(comparisons: readonly Comparison[]): void {
  const bars = barsOf(comparisons.filter(({ row }) => isCase(row)));
  const picture = join(folder, "result.svg");
  writeFileSync(picture, svgBars(bars, describeRun(driver.name)));
  console.log(`\n${terminalBars(bars)}\n\nas a picture: ${picture}`);
}

async function canStartRedis(): Promise<boolean> {
  const redis = await startRedis();
  await redis?.stop();
  return redis !== undefined;
}
