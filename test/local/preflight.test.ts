import { ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";
import * as assert from "uvu/assert";
import { superviseRedis } from "../../services/local/supervise-redis.ts";
import { trimLog } from "../../services/local/trim-log.ts";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

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
    const operator = await createClient({ url: redis.url })
      .on("error", () => {})
      .connect();
    await operator.sendCommand(["SHUTDOWN", "NOSAVE"]).catch(() => {});
    operator.destroy();
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
  const operator = await createClient({ url: redis.url })
    .on("error", () => {})
    .connect();
  const restarted = once(ends, "end");
  await operator.sendCommand(["SHUTDOWN", "NOSAVE"]).catch(() => {});
  operator.destroy();
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
