// `npm run faults -- [--times N] [CASE…]`: the system under load during faults; one row for each case. A word selects every case whose
// name begins with it. Ends with 1 when something is lost or wrong, or a recovery takes longer than --limit seconds, by default 5; on a
// busy machine the start of a process may take longer. `soak`, which is no part of a full run, is load without faults for --minutes, by
// default 10, and then compares the resources of each process.

import { readCommandLine, refuse } from "../../bench/command-line.ts";
import { cases } from "./cases/cases.ts";
import type { FaultCase } from "./fault-case.ts";
import { startRig } from "./rig.ts";
import { type Outcome, runCase } from "./run-case.ts";
import { type Growth, soak, soakSettings } from "./soak.ts";

const columns: [title: string, cell: (outcome: Outcome) => string][] = [
  ["case", ({ name }) => name],
  ["times", ({ times }) => `${times}`],
  ["acknowledged", ({ acknowledged }) => `${acknowledged}`],
  ["unknown", ({ unknown }) => `${unknown}`],
  ["lost", ({ lost }) => `${lost.length}`],
  ["wrong", ({ wrong }) => `${wrong.length}`],
  ["recovery, s", ({ recovery }) => recovery.toFixed(1)],
  ["errors while it lasted", ({ errors }) => [...errors].map(([answer, count]) => `${answer} × ${count}`).join(", ")],
];

/** The head of the table, as wide as its rows. */
const head = columns.map(([title], index) => pad(title, index)).join("  ");

/** One row, with a word on whether the case is good. */
function rowOf(outcome: Outcome): string {
  return `${columns.map(([, cell], index) => pad(cell(outcome), index)).join("  ")}  ${outcome.isGood ? "" : "MISSES"}`.trimEnd();
}

/** The head of the soak's table. */
const growthHead = `${"process".padEnd(12)}${"RSS early".padStart(12)}${"late, MB".padStart(12)}${"open early".padStart(12)}${"late".padStart(12)}`;

function growthRow({ name, early, late, grew }: Growth): string {
  const cells = [early.memory, late.memory, early.descriptors, late.descriptors].map((cell) => `${cell}`.padStart(12));
  return `${name.padEnd(12)}${cells.join("")}${grew ? "  GREW" : ""}`;
}

function pad(text: string, column: number): string {
  if (column === 0) return text.padEnd(28);
  return column === columns.length - 1 ? text : text.padStart(columns[column]?.[0].length ?? 0);
}

const help = `usage: npm run faults -- [--times N] [--limit SECONDS] [--minutes N] [--verbose] [CASE…] [soak]

Puts load on a system during faults, and compares the acknowledged writes with what is stored. A word stands for every case
whose name begins with it.
  --times N        how often each case is tried at most
  --limit SECONDS  what a recovery may take, 5 by default
  --minutes N      how long soak lasts, 10 by default
  --verbose        also prints what happens in between

${cases.map(({ name, title }) => `  ${name}: ${title}`).join("\n")}
  soak: mixed load for --minutes, then memory and descriptors; not part of a full run

  npm run faults -- --times 1
  npm run faults -- --limit 10 ${cases[0]?.name}
  npm run faults -- --minutes 2 soak`;
const { values, positionals } = readCommandLine(help, {
  options: {
    times: { type: "string" },
    limit: { type: "string", default: "5" },
    minutes: { type: "string", default: "10" },
    verbose: { type: "boolean" },
  },
  allowPositionals: true,
});
const times = values.times === undefined ? Number.POSITIVE_INFINITY : Number(values.times);
const limit = Number(values.limit);
const minutes = Number(values.minutes);
const soaks = positionals.includes("soak");
const chosen = cases.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.startsWith(word)),
);
if (!(times >= 1) || !(limit > 0) || !(minutes > 0))
  refuse(help, "--times, --limit and --minutes must be positive numbers.");
if (chosen.length === 0 && !soaks) refuse(help, `There is no case "${positionals.join(" ")}".`);

let leave: () => Promise<void> = async () => {};
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void leave().finally(() => process.exit(1)));

const outcomes: Outcome[] = [];
console.log(head);
for (const faultCase of chosen) {
  const outcome = await run(faultCase);
  if (outcome !== undefined) outcomes.push(outcome);
}
if (soaks) outcomes.push(await runSoak());
process.exitCode = outcomes.length > 0 && outcomes.every(({ isGood }) => isGood) ? 0 : 1;

async function run(faultCase: FaultCase): Promise<Outcome | undefined> {
  const environment = faultCase.environment?.() ?? { options: {} };
  if (environment.why !== undefined) console.log(`!! ${faultCase.name}: ${environment.why}`);
  if (environment.options === undefined) return undefined;
  let keepsFolder = false;
  leave = async () => environment.leave?.();
  try {
    const say = values.verbose ? (line: string) => console.log(`   ${line}`) : undefined;
    const rig = await startRig({ ...environment.options, say });
    leave = async () => {
      await rig.stop(keepsFolder);
      environment.leave?.();
    };
    if (faultCase.needs === "Redis" && rig.redis === undefined) {
      console.log(`!! ${faultCase.name}: LEFT OUT, there is no redis-server on this machine`);
      return undefined;
    }
    const outcome = await runCase(rig, faultCase, { times: Math.min(faultCase.times, times), actors: 6, limit });
    keepsFolder = !outcome.isGood;
    report(outcome);
    if (outcome.recovery > limit)
      console.log(`   the start of all processes took ${rig.startSeconds.toFixed(1)} s here`);
    if (keepsFolder) console.log(`   logs and ledger: ${rig.folder}`);
    return outcome;
  } finally {
    await leave();
  }
}

/** Ten minutes of load, then whether a process has more memory or open files than before. */
async function runSoak(): Promise<Outcome> {
  const rig = await startRig({ settings: soakSettings });
  leave = () => rig.stop();
  try {
    const { outcome, growth } = await soak(rig, minutes, { times: 2, actors: 8, limit });
    report(outcome);
    console.log(`\n${growthHead}`);
    for (const part of growth) console.log(growthRow(part));
    return { ...outcome, isGood: outcome.isGood && growth.every(({ grew }) => !grew) };
  } finally {
    await leave();
  }
}

function report(outcome: Outcome): void {
  console.log(rowOf(outcome));
  const findings = [...outcome.lost, ...outcome.wrong];
  for (const line of findings.slice(0, 15)) console.log(`   ${line}`);
  if (findings.length > 15) console.log(`   and ${findings.length - 15} more`);
}
