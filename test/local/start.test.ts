import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { LaunchedSystem } from "../../bench/system/launch-system.ts";
import { isLong } from "../support/long.ts";
import { createLocalHome, killLaunched, type LocalHome, processesOn } from "./local-system.ts";

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
  const home = mkdtempSync(join(tmpdir(), "roost-start-"));
  homes.push(home);
  return home;
}

/** One home for most tests: each continues with the state that the one before left. */
const sharedPath = makeHome();
const shared = await createLocalHome(sharedPath);
let launcher: LaunchedSystem;
/** The registered users, with the id of the reply. */
const acknowledged = new Map<string, string>();

/** Registers a user and returns the id of the reply; undefined when the request failed. */
async function register({ url }: LocalHome, userName: string): Promise<string | undefined> {
  try {
    const body = JSON.stringify({ userName, password: "correct horse" });
    const response = await fetch(`${url}/register`, { method: "POST", body });
    return response.ok ? ((await response.json()) as { userId: string }).userId : undefined;
  } catch {
    return undefined;
  }
}

async function until<T>(attempt: () => Promise<T | undefined> | T | undefined, pauseMs = 50): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function lookUp({ url }: LocalHome, userName: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/social/${userName}`);
    if (!response.ok) return undefined;
    const { results } = (await response.json()) as { results: { id: string }[] };
    // A registration while the social service is unavailable gets its profile a moment later.
    return results[0]?.id;
  } catch {
    return undefined;
  }
}

function untilNone(home: string): Promise<boolean> {
  return until(() => (processesOn(home).length === 0 ? true : undefined), 200);
}

test("serves the sample data and prints commands to try, which work", async () => {
  launcher = await shared.start();
  await tryCommands(launcher.output());
  acknowledged.set("first", await until(() => register(shared, "first")));
});

test("refuses a second start on the same home, and the first one keeps running", async () => {
  const other = await createLocalHome(sharedPath);
  const error = await other.start("--empty").then(
    () => undefined,
    (reason: Error) => reason,
  );
  assert.match(error?.message ?? "", `already runs at ${shared.url} (pid ${launcher.process.pid}; stop it with: kill`);
  assert.is(await lookUp(shared, "first"), acknowledged.get("first"));
});

test("keeps every acknowledged registration when any of its processes is killed, and leaves none behind", async () => {
  const parts = ["gateway/main.ts", "account/main.ts", "social/main.ts", "bin/postgres", undefined];
  for (const [index, part] of parts.entries()) {
    if (part === undefined) {
      await launcher.end("SIGKILL");
      await untilNone(sharedPath);
      launcher = await shared.start();
      assert.not.match(launcher.output(), "loading");
    } else {
      process.kill(launcher.pid(part) as number, "SIGKILL");
    }
    const after = `after_${index}`;
    acknowledged.set(after, await until(() => register(shared, after)));
    for (const [userName, userId] of acknowledged) {
      assert.is(
        await until(() => lookUp(shared, userName)),
        userId,
        `${userName} after the end of ${part ?? "npm start"}`,
      );
    }
  }
});

test("ends by SIGTERM and leaves no process behind", async () => {
  await launcher.end("SIGTERM");
  await untilNone(sharedPath);
});

test("ends in order by a signal during the start, and the next start continues", async () => {
  const path = makeHome();
  const home = await createLocalHome(path);
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
});

async function tryCommands(output: string): Promise<void> {
  const commands = output.split("\n").filter((line) => line.trim().startsWith("curl "));
  assert.is(commands.length, 3);
  for (const command of commands) {
    const [, target] = /(http:\/\/[^\s']+)/.exec(command) as unknown as [string, string];
    const body = /-d '([^']+)'/.exec(command)?.[1];
    const response = await fetch(target, body ? { method: "POST", body } : undefined);
    assert.is(response.status, 200, command);
    assert.ok(((await response.json()) as { results?: unknown[] }).results?.length !== 0, command);
  }
}

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("\n!!! SKIPPED: not root, so npm start is tested as this user only !!!\n");
(hasProc && isRoot ? Start : Start.skip)("works as an ordinary user", async () => {
  const unprivileged = 65_534;
  const path = makeHome();
  chownSync(path, unprivileged, unprivileged);
  const home = await createLocalHome(path, unprivileged);
  const ordinary = await home.start("--empty");
  assert.ok(await register(home, "ordinary"));
  await ordinary.end("SIGINT");
  await untilNone(path);
});

Start.run();
