import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import * as assert from "uvu/assert";
import { binariesIn, findBinaries } from "../../services/local/postgres/binaries.ts";
import { copyBinaries } from "../../services/local/postgres/choose-server.ts";
import { findProcess } from "../../services/local/postgres/process-table.ts";
import { type PostgresOptions, startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { suite } from "../support/suite.ts";
import { queryOnce } from "../support/test-database.ts";
import { reasonOf } from "./local-system.ts";

const Launcher = suite("embedded Postgres");

const isRoot = process.getuid?.() === 0;
const folder = makeDataFolder("roost-launcher-");
const home = join(folder, "home");
const deep = join(folder, "deep-".repeat(30));
const started: number[] = [];
const ends: (() => void | Promise<void>)[] = [];

// A server that a failed test left running would make the next ones fail.
Launcher.after.each(async () => {
  for (const end of ends.splice(0)) await end();
  for (const pid of started.splice(0)) await untilGone(pid);
});

Launcher.after(() => {
  assert.equal(linksInto(folder), [], "no short links are left");
  rmSync(folder, { recursive: true });
});

Launcher("lets one of three concurrent first starts use the home, and refuses the others with its pid", async () => {
  const starts = await Promise.allSettled([start(), start(), start()]);
  const refused = starts.filter((one) => one.status === "rejected");
  for (const one of starts) if (one.status === "fulfilled") await one.value.stop();
  assert.is(refused.length, 2);
  for (const { reason } of refused) assert.match(String(reason), `is in use by process ${process.pid}`);
  assert.equal(readdirSync(join(home, "postgres")), ["data"]);
});

Launcher("answers in UTF-8, sorts by code point, and stops though clients are connected", async () => {
  const postgres = await start();
  const client = new pg.Client(postgres.url("postgres", "postgres"));
  await client.connect();
  const { rows } = await client.query("select 'é🐦' as text, 'B' < 'a' as sorted, current_setting('timezone') as zone");
  const errors: string[] = [];
  client.on("error", (error) => errors.push(error.message));
  await Promise.all([postgres.stop(), postgres.stop()]);
  assert.equal(rows, [{ text: "é🐦", sorted: true, zone: "UTC" }]);
  assert.equal(await postgres.exited, { code: 0, signal: null });
  await client.end().catch(() => {});
  assert.match(errors.join("\n"), "terminat");
  assert.not(runs(postgres.pid));
});

Launcher("keeps committed data when the server is killed", async () => {
  // Without durability a commit is acknowledged before it is on disk.
  const first = await start({ durable: true });
  await first.ask("create table kept as select 42 as answer");
  first.kill();
  assert.is((await first.exited).signal, "SIGKILL");
  const second = await start();
  assert.equal(await second.ask("select answer from kept"), [{ answer: 42 }]);
  await second.stop();
});

Launcher("refuses a home that another process uses, whose server keeps running", async () => {
  const owner = await startElsewhere({});
  assert.match(await reasonOf(start()), `is in use by process ${owner.launcher}`);
  assert.equal(await owner.ask("select 1 as alive"), [{ alive: 1 }]);
});

// As root, each of these also finds data that belong to another user than the one who will run the server.
for (const without of [[], ["unshare"], ["setpriv"], ["setpriv", "unshare"]] as const) {
  const condition = without.length ? `without ${without.join(" and ")}` : "with all commands";
  Launcher(`leaves no server when its process is killed, ${condition}, and starts again on the same data`, async () => {
    const owner = await startElsewhere({ without });
    assert.equal(await owner.ask("select answer from kept"), [{ answer: 42 }]);
    await owner.killLauncher();
    await untilGone(owner.pid);
    const again = await start();
    assert.equal(await again.ask("select answer from kept"), [{ answer: 42 }]);
    await again.stop();
  });
}

Launcher("ends a server that is left from before, and waits for it, before it starts its own", async () => {
  const owner = await startElsewhere({ without: ["setpriv"] });
  // The watchdog is stopped first, as a machine under memory pressure might do.
  for (const pid of owner.watchdogs()) process.kill(pid, "SIGKILL");
  await owner.killLauncher();
  assert.ok(runs(owner.pid), "the server runs after its launcher has ended");
  const lines: string[] = [];
  const postgres = await start({ log: (line) => lines.push(line) });
  assert.not(runs(owner.pid));
  assert.match(lines.join("\n"), `waiting for process ${owner.pid}`);
  await postgres.stop();
});

Launcher("starts in spite of a lock file with the pid of another program, or an empty one", async () => {
  const lock = join(home, "postgres", "data", "postmaster.pid");
  const crashed = await start();
  crashed.kill();
  await crashed.exited;
  // Not this process, since Postgres ignores the pid of its parent.
  const otherProgram = spawn("sh", ["-c", "read line"], { stdio: ["pipe", "ignore", "ignore"] });
  ends.push(() => void otherProgram.kill("SIGKILL"));
  writeFileSync(lock, readFileSync(lock, "utf8").replace(/^\d+/, String(otherProgram.pid)));
  await (await start()).stop();
  writeFileSync(lock, "");
  await (await start()).stop();
});

Launcher("refuses to start when another server runs whose process is hidden, as in another container", async () => {
  const lock = join(home, "postgres", "data", "postmaster.pid");
  const postgres = await start();
  const text = readFileSync(lock, "utf8");
  writeFileSync(lock, text.replace(/^\d+/, String(process.pid)));
  const refused = await reasonOf(start());
  writeFileSync(lock, text);
  await postgres.stop();
  assert.match(refused, "is in use by a server that cannot be seen from here");
});

Launcher("works as an ordinary user when the test runs as root, who stays the owner of the home", async () => {
  // User 1 has a name on every system, which initdb needs, and is not the user whom root uses for its own homes.
  const user = 1;
  const there = join(folder, "ordinary");
  if (!isRoot) return console.warn("SKIPPED: only root can start Postgres as a second user.");
  const test = fileURLToPath(import.meta.url);
  const reads = ["-e", "require('fs').readFileSync(process.argv[1])", test];
  if (spawnSync(process.execPath, reads, { uid: user, gid: user, cwd: "/" }).status !== 0) {
    return console.warn(
      `SKIPPED: user ${user} may not read this directory, so nothing can run here as an ordinary user.`,
    );
  }
  // The user needs access to the folder around the home.
  chownSync(folder, user, user);
  mkdirSync(there, { mode: 0o700 });
  chownSync(there, user, user);
  const owner = await startElsewhere({ home: there, user });
  assert.equal(await owner.ask("select 1 as one"), [{ one: 1 }]);
  await owner.killLauncher();
  await untilGone(owner.pid);
  // Root starts it too, with a new log, and then the user can start it again.
  rmSync(join(there, "postgres.log"));
  await (await start({ home: there })).stop();
  const again = await startElsewhere({ home: there, user });
  await again.killLauncher();
  await untilGone(again.pid);
});

Launcher("may have a home with a path too long for a socket, which is cleared of an interrupted start", async () => {
  const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(gone, "exit");
  mkdirSync(join(deep, "postgres", `data.${gone.pid}.abcdef`, "base"), { recursive: true });
  const postgres = await start({ home: deep });
  assert.equal(await postgres.ask("select 1 as one"), [{ one: 1 }]);
  assert.match(await reasonOf(start({ home: deep })), "is in use");
  assert.equal(await postgres.ask("select 2 as two"), [{ two: 2 }]);
  await postgres.stop();
  assert.equal(readdirSync(join(deep, "postgres")), ["data"]);
});

Launcher("reports why Postgres did not start", async () => {
  writeFileSync(join(deep, "postgres/data/PG_VERSION"), "9.6\n");
  const reason = await reasonOf(start({ home: deep }));
  assert.match(reason, "Postgres did not start (exit code 1)");
  assert.match(reason, /initialized by PostgreSQL version 9\.6/);
});

Launcher("names a platform without an embedded Postgres", async () => {
  assert.match(await reasonOf(findBinaries("sunos-sparc")), "There is no embedded Postgres for sunos-sparc");
});

Launcher("copies its programs for a user who cannot read them, and replaces an earlier copy", () => {
  const root = join(folder, "programs");
  mkdirSync(join(root, "bin"), { recursive: true });
  writeFileSync(join(root, "bin/old"), "");
  const first = copyBinaries(binariesIn(root), folder);
  renameSync(join(root, "bin/old"), join(root, "bin/postgres"));
  const second = copyBinaries(binariesIn(root), folder);
  assert.is(second.root, first.root);
  assert.equal(readdirSync(join(second.root, "bin")), ["postgres"]);
  assert.is(statSync(second.root).mode & 0o777, 0o755);
  rmSync(second.root, { recursive: true });
});

Launcher.run();

function linksInto(directory: string): string[] {
  const entries = readdirSync(tmpdir(), { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  return entries.map(({ name }) => readlinkSync(join(tmpdir(), name))).filter((target) => target.startsWith(directory));
}

async function start(options: Partial<PostgresOptions> = {}) {
  const postgres = await startPostgres({ home, durable: false, ...options });
  started.push(postgres.pid);
  ends.push(postgres.stop);
  return { ...postgres, ask: (text: string) => queryOnce(postgres.url("postgres", "postgres"), text) };
}

interface Elsewhere extends Partial<PostgresOptions> {
  user?: number;
}

/** Starts Postgres from a process of its own, which then waits until it is killed. */
async function startElsewhere({ user, ...options }: Elsewhere) {
  const main = join(import.meta.dirname, "elsewhere/main.ts");
  const launcher = spawn(
    process.execPath,
    [...process.execArgv, main, JSON.stringify({ home, durable: false, ...options })],
    { stdio: ["ignore", "pipe", "inherit"], ...(user && { uid: user, gid: user }) },
  );
  ends.push(() => void launcher.kill("SIGKILL"));
  const { pid, url } = await firstLine(launcher);
  started.push(pid);
  return {
    pid,
    ask: (text: string) => queryOnce(url, text),
    launcher: launcher.pid,
    watchdogs: () => childrenOf(launcher.pid).filter((child) => findProcess(child)?.command.includes(`sh ${pid} `)),
    async killLauncher() {
      launcher.kill("SIGKILL");
      await once(launcher, "exit");
    },
  };
}

async function firstLine(launcher: ChildProcess): Promise<{ pid: number; url: string }> {
  if (!launcher.stdout) throw new Error("no output");
  for await (const line of createInterface(launcher.stdout)) return JSON.parse(line);
  throw new Error("the launcher ended without output");
}

function childrenOf(parent: number | undefined): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=", "-o", "ppid="], { encoding: "utf8" });
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([pid, of]) => (pid && of === parent ? [pid] : []));
}

/** Whether a process runs; a zombie does not. */
function runs(pid: number): boolean {
  return !!findProcess(pid)?.command;
}

/** Waits at most 10 s for a process to end, much longer than any takes. */
async function untilGone(pid: number): Promise<void> {
  for (let turn = 0; runs(pid) && turn < 400; turn += 1) await sleep(25);
  if (!runs(pid)) return;
  process.kill(pid, "SIGKILL");
  assert.unreachable(`process ${pid} still ran`);
}
