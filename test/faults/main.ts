// `npm run faults -- [--times N] [CASE…]`: the system under load during faults; one row for each case. A word selects every case whose
// name begins with it. Ends with 1 when something is lost or wrong, or a recovery takes longer than --limit seconds, by default 5; on a
// busy machine the start of a process may take longer.
import { readCommandLine, refuse } from "../../bench/command-line.ts";
import { cases } from "./cases/cases.ts";
import type { FaultCase } from "./fault-case.ts";
import { startRig } from "./rig.ts";
import { type Outcome, runCase } from "./run-case.ts";
import { soakCase } from "./soak.ts";

const help = `usage: npm run faults -- [--times N] [--limit SECONDS] [--minutes N] [--verbose] [CASE…]

Puts load on a system during faults, and compares the acknowledged writes with what is stored. A word stands for every case
whose name begins with it.
  --times N        how often each case is tried at most
  --limit SECONDS  what a recovery may take, 5 by default
  --minutes N      how long soak lasts, 10 by default
  --verbose        also prints what happens in between

${[...cases, soakCase(10)].map(({ name, title }) => `  ${name}: ${title}`).join("\n")}

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
const isNamed = ({ name }: FaultCase) => positionals.some((word) => name.startsWith(word));
const chosen = positionals.length === 0 ? cases : [...cases, soakCase(minutes)].filter(isNamed);
if (!(times >= 1) || !(limit > 0) || !(minutes > 0))
  refuse(help, "--times, --limit and --minutes must be positive numbers.");
if (chosen.length === 0) refuse(help, `There is no case "${positionals.join(" ")}".`);

let leave: () => Promise<void> = async () => {};
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void leave().finally(() => process.exit(1)));

const outcomes: Outcome[] = [];
for (const faultCase of chosen) {
  const outcome = await run(faultCase);
  if (outcome !== undefined) outcomes.push(outcome);
}
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
    if (keepsFolder) console.log(`   logs and ledger: ${rig.folder}`);
    return outcome;
  } finally {
    await leave();
  }
}

/** Prints a row, and what was lost or wrong. */
function report({ name, times, acknowledged, unknown, lost, wrong, recovery, errors, isGood }: Outcome): void {
  const failures = [...errors].map(([answer, count]) => `, ${answer} × ${count}`).join("");
  console.log(
    `${isGood ? "good" : "MISSES"}  ${name} × ${times}: ${acknowledged} acknowledged, ${unknown} unknown, ${lost.length} lost, ` +
      `${wrong.length} wrong, recovery ${recovery.toFixed(1)} s${failures}`,
  );
  const findings = [...lost, ...wrong];
  for (const line of findings.slice(0, 15)) console.log(`   ${line}`);
  if (findings.length > 15) console.log(`   and ${findings.length - 15} more`);
}
