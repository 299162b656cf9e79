import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { AuthenticateRequestSchema } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { createLog, type Log, logChanges } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

const Logs = suite("log");

function collected(level: string): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    lines.push(chunk.toString());
    done();
  };
  return { log: createLog("bird", level, new Writable({ write })), lines };
}

Logs("has one line of JSON for an event, with the name of its process", () => {
  const { log, lines } = collected("info");
  log.info({ egg: "a\nb", wing: { span: 3 } }, "laid");
  log.debug("not asked for");
  const [line = "", ...rest] = lines;
  assert.equal(rest, []);
  assert.is(line.indexOf("\n"), line.length - 1);
  const { time, ...entry } = JSON.parse(line) as Record<string, unknown>;
  assert.equal(entry, { level: 30, name: "bird", egg: "a\nb", wing: { span: 3 }, msg: "laid" });
  assert.ok(Math.abs(Number(time) - Date.now()) < 60_000);
});

Logs("hides secrets by field name at any depth, without changing the logged object", () => {
  const { log, lines } = collected("trace");
  const request = create(AuthenticateRequestSchema, { userName: "Ann", password: "hush", sessionId: "hush" });
  const headers = { cookie: "hush", authorization: "hush", "roost-service-token": "hush", accept: "all" };
  log.info(request, "a request");
  log.info({ request, raw: { headers } }, "and its headers");
  log.info({ calls: [{ request }, { newPassword: "hush", "set-cookie": ["hush"] }] }, "many");
  log.child({ reference: "1" }).error({ password: "hush", err: new Error("failed") }, "a child's");
  assert.is(lines.length, 4);
  assert.not.match(lines.join(""), "hush");
  assert.match(lines.join(""), /"userName":"Ann".*"accept":"all"/s);
  assert.match(lines[3] ?? "", /"stack":"Error: failed/);
  assert.equal([request.password, headers.cookie], ["hush", "hush"]);
});

Logs("logs errors without the fields that a library adds, which may have a password or a row", () => {
  const { log, lines } = collected("trace");
  const added = {
    command: { name: "hello", args: ["AUTH", "hush"] },
    detail: "Failing row contains (hush)",
    input: "hush",
  };
  const refused = Object.assign(new Error("refused"), { ...added, code: "23505", constraint: "account_pkey" });
  log.error({ err: refused }, "one");
  log.error({ err: new AggregateError([refused], "all refused") }, "several");
  log.error({ err: new Error("outer", { cause: refused }) }, "with its cause");
  log.error(refused);
  log.child({ reference: "1" }).error({ err: refused }, "a child's");
  assert.not.match(lines.join(""), "hush");
  const shown = lines.map((line) => (JSON.parse(line) as { err: Record<string, unknown> }).err);
  const { stack, ...one } = shown[0] as Record<string, unknown>;
  assert.match(String(stack), "log.test.ts");
  assert.equal(one, { type: "Error", message: "refused", code: "23505", constraint: "account_pkey" });
  assert.match(JSON.stringify(shown[1]), /"aggregateErrors":\[\{"type":"Error","message":"refused"/);
  assert.match(JSON.stringify(shown[2]), "outer: refused");
});

Logs("shows start and end of an error's long text, and nothing that controls a terminal", () => {
  const { log, lines } = collected("info");
  const text = "not\u2028one\u2029line\u009b2J\u007f";
  log.error({ err: new Error(`${text}${"x".repeat(1_000_000)}`) }, "long");
  const [line = ""] = lines;
  assert.ok(line.length < 10_000, `${line.length}`);
  assert.not.match(line, /[\x7f-\x9f\u2028\u2029]/);
  const { err } = JSON.parse(line) as { err: { message: string; stack: string } };
  assert.match(err.message, /^not\ufffdone\ufffdline\ufffd2J\ufffdx+ … x+$/);
  assert.match(err.stack, /^Error: not.* … x+\n +at .*log\.test/s);
});

Logs("loses lines that a full disk does not take, and neither ends nor delays the process", async () => {
  if (process.platform !== "linux") return;
  const module = JSON.stringify(new URL("../../services/platform/log.ts", import.meta.url).href);
  const script = `import(${module}).then(({ createLog }) => {
    const log = createLog("bird", "info");
    for (let line = 0; line < 3; line++) log.info("laid");
    console.error("still here");
  })`;
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, ["--import", "tsx", "-e", script], {
    stdio: ["ignore", full, "pipe"],
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  closeSync(full);
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  assert.equal([said.trim(), code], ["still here", 0]);
});

Logs.run();

const Changes = suite("changes in the log");

Changes("are ten in a minute at most, and the last one is written", async () => {
  const lines: number[] = [];
  const note = logChanges(undefined, 300);
  for (let time = 0; time <= 1_000; time++) note(time % 2 === 1, () => lines.push(time));
  assert.equal(lines, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  note(false, () => lines.push(1_001));
  await eventually("the last state", async () => lines.length > 10);
  await sleep(50);
  assert.equal(lines.slice(10), [1_001]);
});

Changes.run();
