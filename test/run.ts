// Runs every test file, room by room, four to ten rooms on two cores at a time. The last line is `N passed, N failed, N skipped`.
import { spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { readCommandLine, refuse } from "../bench/command-line.ts";
import { startPostgres } from "../services/local/postgres/start-postgres.ts";
import { openCluster } from "./support/citus.ts";
import { makeDataFolder } from "./support/data-folder.ts";
import { prebuild } from "./support/prebuild.ts";
import { startStopwatch } from "./support/stopwatch.ts";
import { runWhileIdle } from "./support/while-idle.ts";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface Room extends Counts {
  name: string;
  /** How long it took. */
  time: string;
  /** Its name and its output. */
  report: string;
}

/**
 * The rooms that take longest begin first, and among them those that mostly wait, so that Redis mostly answers within 50 ms, as the
 * consistency checker needs it.
 */
const first = (
  "consistency freshness outages live account platform gateway-limits gateway social page system " +
  "local citus faults containers cli discovery contract fuzz docs people"
).split(" ");

/** Rooms whose files take so long that each half of them has a process of its own. */
const halved = ["freshness"];

const help = `usage: npm test [-- [--long] [--citus] [WORD ...]]

Runs every test, or the folders of test/ whose name contains a WORD; with a slash in it, the files whose path begins with it.
  --long   many more random attempts: 45 minutes on two cores
  --citus  all databases of services are on a Citus cluster: that of CITUS_URL, else a new one of ../shared/citus

  npm test -- gateway
  npm test -- gateway/posts social/people
  npm test -- --citus system`;
const here = import.meta.dirname;
const { values, positionals } = readCommandLine(help, {
  options: { long: { type: "boolean" }, citus: { type: "boolean" } },
  allowPositionals: true,
});
const words = positionals.length > 0 ? positionals : [""];
/** Minutes after which a room counts as hanging; uvu itself has no timeout. The 100,000 actions of `people` take forty. */
const roomMinutes = values.long ? 90 : 20;
const allRooms = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, files: testFiles(join(here, name)) }));
for (const word of words) {
  if (!allRooms.some(({ name, files }) => files.some((file) => isNamed(word, name, file))))
    refuse(help, `There are no tests "${word}".`);
}
const rooms = allRooms
  .map(({ name, files }) => ({
    name,
    files: files.filter((file) => words.some((word) => isNamed(word, name, file))),
  }))
  .toSorted((a, b) => place(a.name) - place(b.name))
  // On a cluster databases are made one at a time.
  .flatMap(({ name, files }) => (halved.includes(name) && !values.citus ? halves(name, files) : [{ name, files }]))
  .filter((room) => room.files.length > 0);

const elapsed = startStopwatch();
const home = makeDataFolder("roost-tests-");
const cluster = values.citus ? await openCluster() : undefined;
if (values.citus && cluster === undefined) process.exit(1);
const [prebuilt, postgres] = await Promise.all([
  prebuild(rooms.flatMap(({ files }) => files)),
  startPostgres({ home, durable: false }),
]);
const cores = availableParallelism();
// Rooms wait for more than half of their time: for timeouts, for processes that start, for a browser.
const atOnce = { min: Math.min(2 * cores, 7), max: Math.min(5 * cores, 10) };
const results = await runWhileIdle(
  rooms.map((room, number) => () => runRoom(room, number)),
  atOnce,
);
await postgres.stop();
cluster?.stop();
prebuilt.remove();
rmSync(home, { recursive: true, force: true });

for (const { name, time } of results) console.log(`${name.padEnd(12)} ${time}`);
console.log(`all          ${elapsed()}`);
// The failures are printed again at the end.
for (const { failed, report } of results) if (failed > 0) console.log(`FAILED ${report}`);
const total = (count: keyof Counts) => results.reduce((sum, room) => sum + room[count], 0);
// A run without a passed test has failed.
const failures = total("failed") + (total("passed") === 0 ? 1 : 0);
process.exitCode = failures > 0 ? 1 : 0;
console.log(`${total("passed")} passed, ${failures} failed, ${total("skipped")} skipped`);

/** Whether a word of the command line names this file, or all of its room. */
function isNamed(word: string, room: string, file: string): boolean {
  return word.includes("/") ? relative(here, file).startsWith(word.replace(/^test\//, "")) : room.includes(word);
}

function testFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".test.ts")).map((name) => join(folder, name));
}

function halves(name: string, files: string[]) {
  return [1, 2].map((half) => ({ name: `${name} ${half}`, files: files.filter((_, index) => index % 2 === half - 1) }));
}

function place(room: string): number {
  const index = first.indexOf(room);
  return index === -1 ? 100 : index;
}

/** Runs one room in its own process and prints its output when it has ended. Its number gives it its own ports. */
function runRoom({ name, files }: (typeof rooms)[number], number: number): Promise<Room> {
  const child = spawn(process.execPath, [...prebuilt.nodeOptions, join(here, "support/run-files.ts"), ...files], {
    env: {
      ...process.env,
      TEST_POSTGRES_URL: postgres.url("ROLE", "DATABASE").replace("ROLE", "{role}").replace("DATABASE", "{database}"),
      TEST_ROOM: `${number}`,
      ...(values.long && { TEST_LONG: "1" }),
      ...(cluster && { TEST_CLUSTER_URL: cluster.url }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(() => {
    output += `\n${name} did not end within ${roomMinutes} minutes\n`;
    child.kill("SIGKILL");
  }, roomMinutes * 60_000);
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code !== 0) output += `\n${name} ended with ${signal ?? `exit code ${code}`}\n`;
      const warned = /^\(node:\d+\).*$/m.exec(output)?.[0];
      if (warned) output += `\n${name} failed since a process warned: ${warned}\n`;
      const report = `── ${name}\n${output}`;
      console.log(report);
      const time = /^room: (.*)$/m.exec(output)?.[1] ?? "";
      resolve({ name, time, ...readCounts(output, code === 0 && !warned), report });
    });
  });
}

/** Reads the counts that uvu prints at the end. @param isSound whether the room's process ended well; else it has failed, whatever its counts */
function readCounts(output: string, isSound: boolean): Counts {
  const [total, passed, skipped] = ["Total", "Passed", "Skipped"].map((word) =>
    Number(new RegExp(`^ {2}${word}: +(\\d+)`, "m").exec(output)?.[1] ?? 0),
  ) as [number, number, number];
  const failed = Math.max(total - passed, isSound && total + skipped > 0 ? 0 : 1);
  return { passed, failed, skipped };
}
