// `npm run bench`: measures every row, or some, and prints them with their floors. Results that count are in RESULTS.md.
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { readCommandLine, refuse } from "./command-line.ts";
import { openDatasets } from "./dataset/datasets.ts";
import { autocannonLoad } from "./load/autocannon.ts";
import { wrkLoad } from "./load/wrk.ts";
import { measure } from "./measure.ts";
import { rows } from "./rows.ts";
import { checkOut, ownRoot, Side } from "./side.ts";
import { type Result, table } from "./table.ts";

const help = `usage: npm run bench [-- [--only WORD]... [--against COMMIT] [--rounds N] [--seconds N] [--long]]

Measures each row of the table and prints it with its floor.
  --only WORD        the rows whose name contains the word
  --against COMMIT   another commit, in turns with this checkout, in columns of its own
  --rounds N         how many rounds; a figure is their median (3)
  --seconds N        how long a turn is (3)
  --long             8 minutes of lookups before the memory is read

Rows: ${rows.map(({ name }) => name).join(", ")}

  npm run bench
  npm run bench -- --only plain --only post --rounds 1
  npm run bench -- --only cookie --against HEAD~1`;
const { values } = readCommandLine(help, {
  options: {
    only: { type: "string", multiple: true },
    against: { type: "string" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    long: { type: "boolean", default: false },
  },
});
const say = (line: string) => console.error(line);
const chosen = rows.filter(({ name }) => (values.only ?? [""]).some((word) => name.includes(word)));
if (chosen.length === 0) refuse(help, "No row has a name with such a word.");
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
for (const number of [rounds, seconds]) {
  if (!Number.isSafeInteger(number) || number < 1) refuse(help, "--rounds and --seconds take whole numbers above 0.");
}
const { name: generator, load } = chooseLoad();
console.log(describeRun());
const labels = values.against === undefined ? ["Here"] : ["Here", values.against];
const results = await run();
console.log(`\n${table(results, labels)}`);
if (results.some(({ outcomes }) => outcomes.some((one) => "reason" in one && one.isFailure))) process.exitCode = 1;

async function run(): Promise<Result[]> {
  const other = values.against === undefined ? undefined : checkOut(values.against);
  const datasets = await openDatasets(say);
  const sides: Side[] = [];
  try {
    sides.push(new Side("here", ownRoot, datasets));
    if (other !== undefined) sides.push(new Side("against", other.root, datasets));
    const results: Result[] = [];
    for (const row of chosen) {
      say(`measuring ${row.title}`);
      results.push({ row, outcomes: await measure(row, sides, { load, rounds, seconds, isLong: values.long }) });
      // At once: a run takes a quarter of an hour and may be ended.
      say(table(results.slice(-1), labels).split("\n").at(-1) as string);
    }
    return results;
  } finally {
    for (const side of sides) await side.stop();
    await datasets.postgres.stop();
    other?.remove();
  }
}

/** wrk if it is installed, otherwise autocannon. */
function chooseLoad() {
  // wrk exits with 1 when it prints its version.
  const { stdout, error } = spawnSync("wrk", ["--version"], { encoding: "utf8" });
  if (error === undefined) return { name: stdout.split(" Copyright")[0]?.trim() ?? "wrk", load: wrkLoad };
  return {
    name: "autocannon, since wrk is not installed: it is slow itself, so that ratios say less",
    load: autocannonLoad,
  };
}

/** The machine, the versions and the load generator in one line. */
function describeRun(): string {
  const redis = /v=(\S+)/.exec(outputOf("redis-server", "--version"))?.[1];
  const parts = [
    `${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0]?.model}`,
    `Node ${process.version}`,
    redis === undefined ? "no redis-server on the path" : `Redis ${redis}`,
    generator,
    `commit ${outputOf("git", "describe", "--always", "--dirty").trim()}`,
    `${rounds} rounds of ${seconds} s`,
  ];
  return parts.join(", ");
}

function outputOf(program: string, ...args: string[]): string {
  return spawnSync(program, args, { cwd: ownRoot, encoding: "utf8" }).stdout ?? "";
}
