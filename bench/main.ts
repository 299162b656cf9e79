// `npm run bench [-- --quick] [-- CASE...]`: runs the measurements, prints one table, and bars that compare it with the last run.
// With `--against`, runs the cases of two checkouts in turns. Results that count are in RESULTS.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuse } from "./command-line.ts";
import { compare } from "./compare/compare.ts";
import { chooseDriver } from "./load/driver.ts";
import { measurements } from "./measurements.ts";
import { barsOf, terminalBars } from "./results/bars.ts";
import { compareWithLastRun } from "./results/last-run.ts";
import { svgBars } from "./results/svg-bars.ts";
import { describeRun } from "./system/describe-run.ts";
import { openEnvironment } from "./system/environment.ts";
import { startRedis } from "./system/redis.ts";
import { caseNames, chooseTrials } from "./trials/choose-trials.ts";
import type { Row } from "./trials/judge.ts";
import { fullPlan, quickPlan } from "./trials/plan.ts";
import { runSetting } from "./trials/run-setting.ts";
import { table } from "./trials/table.ts";
import type { Setting } from "./trials/trial.ts";

const say = (line: string) => console.error(line);
const help = `usage: npm run bench [-- [--quick] [CASE...]]

Measures every case, or those that are named, prints one table, and draws it against the last run.
  --quick             shorter and fewer runs: figures to compare roughly
  --against CHECKOUT  runs the cases on another checkout too, in turns, and prints both: a folder, a commit or a branch
  --rounds N          how many turns each server has (3; with --quick 1)

Cases: ${caseNames.join(", ")}

  npm run bench
  npm run bench -- --quick ${caseNames[0]}
  npm run bench -- --against main --rounds 9 ${caseNames[0]}
  npm run bench -- --against . ${caseNames[0]}    # this checkout against itself: what this machine's noise is`;
const { values, positionals } = readCommandLine(help, {
  options: { quick: { type: "boolean" }, against: { type: "string" }, rounds: { type: "string" } },
  allowPositionals: true,
});
const stray = positionals.find((name) => !caseNames.includes(name));
if (stray !== undefined) refuse(help, `There is no case "${stray}".`);
const chosen = chooseTrials(positionals);
const rounds = Number(values.rounds ?? (values.quick ? quickPlan : fullPlan).rounds);
if (!Number.isInteger(rounds) || rounds < 1) refuse(help, "--rounds takes a whole number.");
const plan = { ...(values.quick ? quickPlan : fullPlan), rounds };
const driver = chooseDriver();
say(`load: ${driver.name}`);

if (values.against !== undefined) {
  await compareWith(values.against);
  process.exit();
}
const environment = await openEnvironment(say);
try {
  const hasRedis = await canStartRedis();
  const settings: Setting[] = hasRedis ? ["redis", "no Redis", "cache off"] : ["no Redis", "cache off"];
  const rows: Row[] = [];
  const memory = new Map<Setting, number>();
  for (const setting of settings) {
    const trials = chosen.trials.filter((trial) => trial.setting === setting);
    if (trials.length === 0) continue;
    const result = await runSetting(environment, setting, trials, driver.load, plan, say);
    rows.push(...result.rows);
    if (result.gatewayMemory !== undefined) memory.set(setting, result.gatewayMemory);
  }
  console.log(`\n${describeRun(driver.name)}\n`);
  if (rows.length > 0) {
    console.log(table(rows));
    draw(rows);
  }
  for (const [setting, peak] of memory) {
    console.log(`\ngateway memory at most (${setting}): ${peak} MB, ${peak <= 300 ? "held" : "missed: 300 MB"}`);
  }
  if (!hasRedis)
    console.log("\nWITHOUT THE ROWS THAT NEED REDIS: there is no redis-server on the path and no REDIS_URL.");
} finally {
  await environment.close();
}
for (const measure of chosen.others.map((name) => measurements[name])) {
  for (const { name, value } of (await measure?.()) ?? []) console.log(`${name.padEnd(52)} ${value}`);
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

/** Compares the rows with the last run of the same length: bars in the terminal, and in an SVG file. */
function draw(rows: readonly Row[]): void {
  const folder = join(import.meta.dirname, "../.roost/bench");
  const bars = barsOf(compareWithLastRun(rows, join(folder, values.quick ? "last-quick.json" : "last.json")));
  const picture = join(folder, "result.svg");
  writeFileSync(picture, svgBars(bars, describeRun(driver.name)));
  console.log(`\n${terminalBars(bars)}\n\nas a picture: ${picture}`);
}

async function canStartRedis(): Promise<boolean> {
  const redis = await startRedis();
  await redis?.stop();
  return redis !== undefined;
}
