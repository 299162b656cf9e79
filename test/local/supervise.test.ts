import { ChildProcess, execSync, spawn, spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "redis";
import * as assert from "uvu/assert";
import { compile } from "../../compile/compile.ts";
import { isCurrent, isStarted } from "../../compile/plan.ts";
import { supervise, trimLog } from "../../services/local/supervise.ts";
import { superviseRedis } from "../../services/local/supervise-redis.ts";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { useFolder } from "../support/folder.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Supervise = suite("supervision");
const folder = useFolder(Supervise);

Supervise("restarts a failing process at growing intervals, shorter again after a success", async () => {
  const [started, ready] = [folder.write("started", ""), folder.write("ready", "")];
  // Notes the time of each start, and fails in the second to the fourth.
  const main = folder.write(
    "program.mjs",
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(started)}, Date.now() + "\\n");
     const run = readFileSync(${JSON.stringify(started)}, "utf8").trim().split("\\n").length;
     if (run >= 2 && run <= 4) process.exit(1);
     process.on("SIGTERM", () => process.exit(0));
     process.on("disconnect", () => process.exit(0));
     process.send({ ready: "run " + run }, () => appendFileSync(${JSON.stringify(ready)}, run + " "));`,
  );
  const starts = () => readFileSync(started, "utf8").trim().split("\n").map(Number);
  const environment = { PATH: process.env.PATH };
  const supervised = await supervise({ name: "x", main, environment, logs: folder.path, say: () => {} });
  try {
    assert.is(supervised.url, "run 1");
    process.kill(supervised.pid() as number, "SIGKILL");
    await eventually("the fifth run", async () => starts().length === 5);
    const [, second, third, fourth, fifth] = starts() as [number, number, number, number, number];
    assert.ok(third - second >= 600 && fourth - third >= 1_200 && fifth - fourth >= 2_400, starts().join());
    await eventually("its report that it is ready", async () => readFileSync(ready, "utf8").endsWith("5 "));
    const killed = Date.now();
    process.kill(supervised.pid() as number, "SIGKILL");
    await eventually("the sixth run", async () => starts().length === 6);
    // A fourth failure in a row would wait for 4.8 s.
    assert.ok((starts().at(-1) as number) - killed < 4_500, `${(starts().at(-1) as number) - killed} ms`);
  } finally {
    await supervised.stop();
  }
});

Supervise.run();

const Compile = suite("compile");
const { path, write } = useFolder(Compile);
const root = join(import.meta.dirname, "../..");

/** Compiles in a folder, as `npm start` does first; prints the options for Node. */
const compileIn = (cwd: string) =>
  spawnSync(process.execPath, ["--import", "tsx", "compile/main.ts"], { cwd, encoding: "utf8" });

Compile("runs npm start without a loader", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  assert.match(execSync(`${scripts.start} --help`, { cwd: root, encoding: "utf8" }), "npm start");
  assert.is(compileIn(root).stdout, "--require ./.roost/compiled/run-compiled.cjs\n");
});

Compile("compiles again only what has changed", async () => {
  const folder = join(path, "changed");
  const plan = { root: folder, folder: join(folder, "out"), folders: ["gateway"], isCompiled: isStarted };
  write("changed/gateway/main.ts", 'import "./imported.ts";');
  const imported = write("changed/gateway/imported.ts", "console.log(1);");
  const other = join(folder, "gateway/part/main.ts");
  assert.not.ok(isCurrent(plan), "never compiled");
  const replaceText = () => {
    const { atime, mtime } = statSync(imported);
    write("changed/gateway/imported.ts", "console.log(2);");
    utimesSync(imported, atime, mtime);
  };
  const changes: [what: string, change: () => void][] = [
    ["an imported file has another text of the same length and time", replaceText],
    ["there is one more process", () => void write("changed/gateway/part/main.ts", "")],
    ["a process is gone", () => rmSync(other)],
  ];
  for (const [what, change] of changes) {
    // A file of the millisecond in which reading began counts as changed.
    await sleep(20);
    await compile(plan);
    assert.ok(isCurrent(plan), "compiled");
    change();
    assert.not.ok(isCurrent(plan), what);
  }
  await sleep(20);
  await compile(plan);
  const copy = join(path, "copied");
  cpSync(folder, copy, { recursive: true });
  assert.not.ok(isCurrent({ ...plan, root: copy, folder: join(copy, "out") }), "copied");
});

Compile("has processes run with the loader where it cannot compile", () => {
  const folder = join(path, "uncompiled");
  cpSync(join(root, "compile"), join(folder, "compile"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // There are no sources.
  const { stdout, stderr } = compileIn(folder);
  assert.is(stdout, "--import tsx\n");
  assert.match(stderr, "not compiled");
});

Compile.run();

const Preflight = suite("npm start, before it starts anything");
const { path: home } = useFolder(Preflight);

Preflight("names every invalid setting of every process, and starts nothing", async () => {
  const { code, output } = await start([], { GATEWAY_PORT: "many", PASSWORD_MIN_LENGTH: "no", STATUS_LENGTH: "0" });
  assert.is(code, 1);
  for (const name of ["GATEWAY_PORT", "PASSWORD_MIN_LENGTH"]) assert.match(output, `${name} must be`);
  assert.not.match(output, "    at ");
  assert.equal(readdirSync(home), []);
});

Preflight("names the setting of a port in use, and suggests a name for a misspelled setting", async () => {
  const server = createServer();
  const port = await listen(server);
  const { code, output } = await start([], { SOCIAL_PORT: `${port}`, GATEWAY_PROT: "1", ROOST_HOUSE: "x" });
  server.close();
  assert.is(code, 1);
  assert.match(output, `Port ${port} is taken: choose another with SOCIAL_PORT=PORT.`);
  assert.match(output, "GATEWAY_PROT is no setting. Is GATEWAY_PORT meant?");
  assert.match(output, "ROOST_HOUSE is no setting");
  assert.equal(readdirSync(home), []);
});

Preflight("starts a redis-server of the path, and restarts it when it ends", async () => {
  const lines: string[] = [];
  const redis = await superviseRedis((line) => lines.push(line));
  if (redis === undefined) return console.warn("\n!!! SKIPPED: no redis-server on the path !!!\n");
  const connection = connectRedis([redis.url], "test", createLog("test", "silent"), 1_000);
  try {
    await eventually("it answers", async () => connection.isUsable());
    await connection.run((commands) => commands.set("key", "value"));
    await shutDown(redis.url);
    const isEmpty = (value: string | null) => value === null;
    await eventually("a new one answers", () =>
      connection.run((commands) => commands.get("key")).then(isEmpty, () => false),
    );
    assert.equal(lines, ["redis-server ended and is started again"]);
  } finally {
    connection.close();
    await redis.stop();
  }
});

Preflight("leaves no redis-server behind that is stopped while it is started again", async () => {
  const ends = new EventEmitter();
  const redis = await superviseRedis(() => setImmediate(() => ends.emit("end")));
  if (redis === undefined) return console.warn("\n!!! SKIPPED: no redis-server on the path !!!\n");
  assert.is(countRedis(), 1);
  const restarted = once(ends, "end");
  await shutDown(redis.url);
  await restarted;
  await redis.stop();
  assert.is(countRedis(), 0);
});

// What is counted is the call: which process it would end depends on what is in memory.
Preflight("signals no redis-server that could not be started", async () => {
  const { PATH } = process.env;
  const { kill } = ChildProcess.prototype;
  let signals = 0;
  process.env.PATH = "/nonexistent";
  ChildProcess.prototype.kill = () => {
    signals += 1;
    return false;
  };
  try {
    assert.is(await superviseRedis(() => {}), undefined);
  } finally {
    process.env.PATH = PATH;
    ChildProcess.prototype.kill = kill;
  }
  assert.is(signals, 0);
});

/** Ends a redis-server by its own command. */
async function shutDown(url: string): Promise<void> {
  const operator = createClient({ url }).on("error", () => {});
  await operator.connect();
  await operator.sendCommand(["SHUTDOWN", "NOSAVE"]).catch(() => {});
  operator.destroy();
}

/** How many processes that this one has started are a redis-server. */
function countRedis(): number {
  const { stdout } = spawnSync("ps", ["--ppid", `${process.pid}`, "-o", "comm="], { encoding: "utf8" });
  return stdout.split("\n").filter((command) => command.startsWith("redis-server")).length;
}

Preflight("empties a log that is too long, and keeps what it had; its process continues to write", async () => {
  const file = join(home, "a.log");
  const log = openSync(file, "a");
  writeSync(log, "first");
  await trimLog(file, 5);
  assert.is(readFileSync(file, "utf8"), "first");
  await trimLog(file, 4);
  writeSync(log, "second");
  closeSync(log);
  assert.equal([readFileSync(file, "utf8"), readFileSync(`${file}.old`, "utf8")], ["second", "first"]);
});

Preflight.run();

/** Runs `npm start` with these arguments until it ends. */
async function start(args: string[], settings: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [...process.execArgv, "services/local/main.ts", ...args], {
    env: { PATH: process.env.PATH, ROOST_HOME: home, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}
