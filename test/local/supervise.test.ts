import { ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "redis";
import * as assert from "uvu/assert";
import { compile } from "../../compile/compile.ts";
import { isCurrent, isStarted } from "../../compile/plan.ts";
import { type Supervised, supervise, trimLog } from "../../services/local/supervise.ts";
import { superviseRedis } from "../../services/local/supervise-redis.ts";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Supervise = suite("supervision");
let folder: string;
let supervised: Supervised | undefined;

Supervise.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), "roost-supervise-"));
});
Supervise.after.each(async () => {
  await supervised?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that records the time of each start, and fails in the runs of these numbers. */
function program(failing: readonly number[]): { main: string; starts(): number[]; reportedReady(): string } {
  const [main, starts, ready] = [join(folder, "program.mjs"), join(folder, "starts"), join(folder, "ready")];
  for (const file of [starts, ready]) writeFileSync(file, "");
  writeFileSync(
    main,
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(starts)}, Date.now() + "\\n");
     const run = readFileSync(${JSON.stringify(starts)}, "utf8").trim().split("\\n").length;
     if (${JSON.stringify(failing)}.includes(run)) process.exit(1);
     process.on("SIGTERM", () => process.exit(0));
     process.on("disconnect", () => process.exit(0));
     process.send({ ready: "run " + run }, () => appendFileSync(${JSON.stringify(ready)}, run + " "));`,
  );
  return {
    main,
    starts: () => readFileSync(starts, "utf8").trim().split("\n").map(Number),
    reportedReady: () => readFileSync(ready, "utf8"),
  };
}

Supervise("restarts a failing process at growing intervals, shorter again after a success", async () => {
  const { main, starts, reportedReady } = program([2, 3, 4]);
  const environment = { PATH: process.env.PATH };
  supervised = await supervise({ name: "x", main, environment, logs: folder, say: () => {} });
  assert.is(supervised.url, "run 1");
  process.kill(supervised.pid() as number, "SIGKILL");
  await eventually("the fifth run", async () => starts().length === 5);
  const [, second, third, fourth, fifth] = starts() as [number, number, number, number, number];
  assert.ok(third - second >= 600 && fourth - third >= 1_200 && fifth - fourth >= 2_400, starts().join());
  await eventually("its report that it is ready", async () => reportedReady().endsWith("5 "));
  const killed = Date.now();
  process.kill(supervised.pid() as number, "SIGKILL");
  await eventually("the sixth run", async () => starts().length === 6);
  // A fourth failure in a row would wait for 4.8 s.
  assert.ok((starts().at(-1) as number) - killed < 4_500, `${(starts().at(-1) as number) - killed} ms`);
});

Supervise.run();

const Compile = suite("compile");

const root = join(import.meta.dirname, "../..");

/** The command of `npm start`, with arguments. */
function npmStart(...args: string[]): string {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  return execFileSync("sh", ["-c", `${scripts.start} "$@"`, "npm start", ...args], { cwd: root, encoding: "utf8" });
}

Compile("runs npm start without a loader", () => {
  assert.match(npmStart("--help"), "npm start");
  const options = execFileSync(process.execPath, ["--import", "tsx", "compile/main.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  assert.is(options, "--require ./.roost/compiled/run-compiled.cjs\n");
});

Compile("gives each process a text of ASCII, which takes one byte a letter", async () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "compile-test-"));
  try {
    await compile({ root, folder, folders: ["gateway"], isCompiled: isStarted, isShort: true });
    const text = readFileSync(join(folder, "gateway/main.mjs"), "latin1");
    assert.match(text, " \\u2013 Roost</title>");
    assert.not.match(text, /[\x80-\xff]/);
    assert.ok(text.length < 3_500_000, `${text.length} letters`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

Compile("compiles again only what has changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "roost-compile-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, "gateway", name), text);
  const plan = { root: folder, folder: join(folder, "out"), folders: ["gateway"], isCompiled: isStarted };
  const copy = `${folder}-copy`;
  try {
    mkdirSync(join(folder, "gateway/part"), { recursive: true });
    write("main.ts", 'import "./imported.ts";');
    write("imported.ts", "console.log(1);");
    assert.not.ok(isCurrent(plan), "never compiled");
    const changes: [what: string, change: () => void][] = [
      [
        "an imported file has another text of the same length and time",
        () => {
          const { atime, mtime } = statSync(join(folder, "gateway/imported.ts"));
          write("imported.ts", "console.log(2);");
          utimesSync(join(folder, "gateway/imported.ts"), atime, mtime);
        },
      ],
      ["there is one more process", () => write("part/main.ts", "")],
      ["a process is gone", () => rmSync(join(folder, "gateway/part/main.ts"))],
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
    cpSync(folder, copy, { recursive: true });
    assert.not.ok(isCurrent({ ...plan, root: copy, folder: join(copy, "out") }), "copied");
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(copy, { recursive: true, force: true });
  }
});

Compile("has processes run with the loader where it cannot compile", () => {
  const folder = mkdtempSync(join(tmpdir(), "roost-compile-"));
  try {
    cpSync(join(root, "compile"), join(folder, "compile"), { recursive: true });
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    // There are no sources.
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "compile/main.ts"], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.is(stdout, "--import tsx\n");
    assert.match(stderr, "not compiled");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

Compile.run();

const Preflight = suite("npm start, before it starts anything");
const home = mkdtempSync(join(tmpdir(), "roost-preflight-"));

Preflight.after(() => rmSync(home, { recursive: true, force: true }));

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

Preflight("prints the usage for --help, and refuses an unknown option", async () => {
  const { code, output } = await start(["--help"]);
  assert.is(code, 0);
  assert.match(output, /Usage: npm start\n[^]*ROOST_HOME/);
  const unknown = await start(["--emtpy"]);
  assert.is(unknown.code, 2);
  assert.match(unknown.output, "--emtpy");
  assert.not.match(unknown.output, "    at ");
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
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
  return children.filter((pid) => readCommand(pid).startsWith("redis-server")).length;
}

/** Empty for a process that has ended. */
function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
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
