import { spawnSync } from "node:child_process";
import { chownSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { LaunchedSystem } from "../../bench/system/launch-system.ts";
import { findRunningPostgres } from "../../services/local/postgres/socket-directory.ts";
import { startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { queryOnce } from "../support/test-database.ts";
import { askAs, signUp } from "../support/visitors.ts";
import { createLocalHome, killLaunched, type LocalHome, processesOn, reasonOf } from "./local-system.ts";

const Start = suite("npm start");
const hasProc = existsSync("/proc/self/environ");
if (!hasProc) console.warn("\n!!! SKIPPED: no /proc here; npm start with killed processes is not tested !!!\n");
const test = hasProc ? Start : Start.skip;
const homes: string[] = [];

Start.after(async () => {
  killLaunched();
  for (const home of homes) {
    await untilNone(home);
    rmSync(home, { recursive: true, force: true });
  }
});

function makeHome(): string {
  const home = makeDataFolder("roost-start-");
  homes.push(home);
  return home;
}

/** One home for most tests: each continues with the state that the one before left. */
const sharedPath = makeHome();
const shared = await createLocalHome(sharedPath);
let launcher: LaunchedSystem;
/** The registered users, with the id of the reply. */
const acknowledged = new Map<string, string>();

let attempts = 0;

/** Registers a user, each time of another name, since a request without an acknowledgement may still succeed. */
async function register(home: LocalHome): Promise<[userName: string, userId: string] | undefined> {
  const visitor = await signUp(home, `user_${++attempts}`).catch(() => undefined);
  return visitor && [visitor.name, `${visitor.id}`];
}

async function until<T>(attempt: () => Promise<T | undefined> | T | undefined, pauseMs = 50): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function lookUp(home: LocalHome, userName: string): Promise<unknown> {
  const reply = await askAs(home, `/social/${userName}`).catch(() => undefined);
  // A registration while the social service is unavailable gets its profile a moment later.
  return reply?.results[0]?.id;
}

function untilNone(home: string): Promise<boolean> {
  return until(() => (processesOn(home).length === 0 ? true : undefined), 200);
}

test("serves the sample data and prints commands to try, which work", async () => {
  launcher = await shared.start();
  await tryCommands(launcher.output(), 3);
  acknowledged.set(...(await until(() => register(shared))));
});

test("refuses a second start on the same home, and the first one keeps running", async () => {
  const other = await createLocalHome(sharedPath);
  const reason = await reasonOf(other.start("--empty"));
  assert.match(reason, `already runs at ${shared.url} (pid ${launcher.process.pid}; stop it with: kill`);
  for (const [userName, userId] of acknowledged) assert.is(await lookUp(shared, userName), userId);
});

test("keeps every acknowledged registration when any of its processes is killed, and leaves none behind", async () => {
  const parts = ["gateway/main.ts", "account/main.ts", "social/main.ts", "bin/postgres", undefined];
  for (const part of parts) {
    if (part === undefined) {
      await launcher.end("SIGKILL");
      await untilNone(sharedPath);
      launcher = await shared.start();
      assert.not.match(launcher.output(), "loading");
    } else {
      process.kill(launcher.pid(part) as number, "SIGKILL");
    }
    acknowledged.set(...(await until(() => register(shared))));
    for (const [userName, userId] of acknowledged) {
      const found = await until(() => lookUp(shared, userName));
      assert.is(found, userId, `${userName} after the end of ${part ?? "npm start"}`);
    }
  }
});

test("ends by SIGTERM and leaves no process behind", async () => {
  await launcher.end("SIGTERM");
  await untilNone(sharedPath);
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("\n!!! SKIPPED: not root, so npm start is tested as this user only !!!\n");

test("ends in order by a signal during the start, and the next start continues, as an ordinary user", async () => {
  const unprivileged = isRoot ? 65_534 : undefined;
  // Node may lie in a folder of root alone, as where npx has it.
  const runs = { uid: unprivileged, gid: unprivileged, cwd: "/" };
  if (isRoot && spawnSync(process.execPath, ["--version"], runs).status !== 0)
    return console.warn("SKIPPED: an ordinary user may not run this Node.");
  const path = makeHome();
  if (unprivileged !== undefined) chownSync(path, unprivileged, unprivileged);
  const home = await createLocalHome(path, unprivileged);
  const moments: [string, NodeJS.Signals, (output: string) => boolean][] = [
    ["making the database", "SIGTERM", (output) => output.includes("making a database")],
    ["starting the processes", "SIGINT", () => existsSync(join(path, "log/gateway.log"))],
    ["loading the sample", "SIGTERM", (output) => output.includes("loading sample data")],
  ];
  for (const [moment, signal, isReached] of isLong ? moments : moments.slice(1, 2)) {
    const starting = home.begin();
    await until(() => isReached(starting.output()) || undefined, 5);
    assert.is(await starting.end(signal), 0, `${moment}: ${starting.output()}`);
    assert.equal(processesOn(path), [], moment);
    assert.not.ok(existsSync(join(path, "running.json")), moment);
    assert.not.match(starting.output(), "did not start", moment);
  }
  const next = await home.start("--empty");
  await tryCommands(next.output(), 1);
  assert.ok(await register(home));
  await next.end("SIGINT");
  await untilNone(path);
});

test("makes the words of earlier statuses after an upgrade of searches, once", async () => {
  const path = makeHome();
  const local = await createLocalHome(path);
  const find = async () => (await askAs(local, "/social/search/statuses?q=lantern")).results.length;
  const first = await local.start("--empty");
  const { session } = await signUp(local, "ann");
  await eventually("the status is published", async () => {
    const { status } = await askAs(local, "/timelines/publish", session, '{"text":"A lantern"}');
    return status === 200;
  });
  assert.is(await find(), 1);
  assert.not.match(first.output(), /searches/);
  await first.end("SIGTERM");

  const postgres = await startPostgres({ home: path });
  const url = postgres.url("social", "roost");
  await queryOnce(url, "delete from social.status_word");
  await queryOnce(url, "update social.status set words = null, search_rules = null");
  await queryOnce(url, "update social.search_state set rules = 0");
  await postgres.stop();

  const second = await local.start();
  assert.match(second.output(), /older statuses are being prepared for searches/);
  await eventually("all is noted as done", async () => {
    const running = findRunningPostgres(path)?.url("social", "roost") ?? "";
    return (await queryOnce(running, "select rules from social.search_state"))[0]?.rules === 1;
  });
  assert.is(await find(), 1);
  await second.end("SIGTERM");
  const third = await local.start();
  assert.not.match(third.output(), /searches/);
  await third.end("SIGTERM");
});

async function tryCommands(output: string, expected: number): Promise<void> {
  const commands = output.split("\n").filter((line) => line.trim().startsWith("curl "));
  assert.is(commands.length, expected);
  for (const command of commands) {
    const [, target] = /(http:\/\/[^\s']+)/.exec(command) as unknown as [string, string];
    const body = /-d '([^']+)'/.exec(command)?.[1];
    const response = await fetch(target, body ? { method: "POST", body } : undefined);
    assert.is(response.status, 200, command);
    assert.ok(((await response.json()) as { results?: unknown[] }).results?.length !== 0, command);
  }
}

Start.run();
