import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { startBaseline } from "../../bench/baselines/baseline.ts";
import { recordReplies, writeRecording } from "../../bench/baselines/recording.ts";
import { runAtOnce } from "../../bench/load/at-once.ts";
import { zipfDraw } from "../../bench/load/random.ts";
import { sendRequest } from "../../bench/load/send-request.ts";
import { measure, type Outcome } from "../../bench/measure.ts";
import { type Figures, type Floor, NotSupported, type Row } from "../../bench/row.ts";
import { rows } from "../../bench/rows.ts";
import type { Side } from "../../bench/side.ts";
import { findProcess, processorSeconds } from "../../bench/system/processes.ts";
import { table } from "../../bench/table.ts";
import { eventually } from "../support/eventually.ts";
import { listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Figures = suite("bench figures");

Figures("draws by Zipf's law, the first twice as often as the second, and repeats the same draw", () => {
  const draw = zipfDraw(1_000, 100_000);
  const share = (index: number) => draw.filter((drawn) => drawn === index).length / draw.length;
  const harmonic = Array.from({ length: 1_000 }, (_, index) => 1 / (index + 1)).reduce((a, b) => a + b);
  assert.ok(Math.abs(share(0) - 1 / harmonic) < 0.01);
  assert.ok(Math.abs(share(1) - 1 / 2 / harmonic) < 0.01);
  assert.ok(draw.some((index) => index > 990));
  assert.equal(draw, zipfDraw(1_000, 100_000));
});

Figures("runs so many tasks a few at a time, each once", async () => {
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const { requests } = await runAtOnce(3, { count: 10 }, async (index) => {
    begun.push(index);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
  });
  assert.equal([requests, most, begun], [10, 3, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
});

// Only Linux has /proc.
if (process.platform === "linux")
  Figures("counts the processor time of all processes below one, of those that have ended as well", async () => {
    // Half a second of processor time, however busy the machine is.
    const busy =
      "const used = () => { const { user, system } = process.cpuUsage(); return user + system; }; while (used() < 500_000);";
    const script = `
      const { spawnSync, spawn } = require("node:child_process");
      spawnSync(process.execPath, ["-e", ${JSON.stringify(busy)}]);
      spawn(process.execPath, ["-e", ${JSON.stringify(`${busy} setInterval(() => {}, 1000);`)}, "sta" + "ys"]);
    `;
    const top = spawn(process.execPath, ["-e", script], { detached: true, stdio: "ignore" });
    const pid = top.pid as number;
    try {
      await eventually("the second process", async () => findProcess(pid, "stays") !== undefined);
      assert.is.not(findProcess(pid, "stays"), pid);
      await eventually("the processor time of both", async () => (processorSeconds([pid]) ?? 0) >= 0.95);
      assert.is(findProcess(pid, "never"), undefined);
    } finally {
      process.kill(-pid, "SIGKILL");
      await once(top, "exit");
    }
  });

Figures.run();

const Servers = suite("bench servers");

interface Target {
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Records the replies of `origin`, and runs `work` with its URL and that of the server that replays them. */
async function whileReplaying(origin: Server, targets: Target[], work: (from: string, to: string) => Promise<void>) {
  const url = `http://127.0.0.1:${await listen(origin)}`;
  const file = join(tmpdir(), `roost-test-recording-${process.pid}`);
  writeRecording(file, await recordReplies(url, targets, 200));
  const server = await startBaseline("node-http", file);
  try {
    await work(url, server.url);
  } finally {
    await server.stop();
    await stopListening(origin);
    rmSync(file, { force: true });
  }
}

Servers("replays recorded replies byte for byte, and records only those with the expected status", async () => {
  const origin = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", ETag: `"${request.url}"`, Vary: "Origin" });
    response.end(Buffer.from(`{"asked":"${request.headers["x-asked"]}","odd":"\u00fc\ud83d\ude00"}`));
  });
  const targets = ["/a?take=1", "/b,c"].map((path) => ({ path, headers: { "x-asked": path } }));
  await whileReplaying(origin, targets, async (from, to) => {
    for (const { path } of targets) {
      const original = await sendRequest(from, path, { "x-asked": path });
      const reply = await sendRequest(to, path, {});
      assert.is(reply.status, 200);
      assert.is(reply.body.toString("hex"), original.body.toString("hex"));
      assert.equal(fields(reply.headers), fields(original.headers));
    }
    assert.is((await sendRequest(to, "/elsewhere", {})).status, 404);
    const refusal = await recordReplies(from, targets, 304).catch((error: Error) => error.message);
    assert.match(`${refusal}`, "answered 200 where 304 was expected");
  });
});

Servers("tells POSTs apart by their bodies", async () => {
  const origin = createServer((request, response) => void request.pipe(response));
  const targets = ['[{"take":1}]', '[{"take":2}]'].map((body) => ({ path: "/a[]", headers: {}, body }));
  await whileReplaying(origin, targets, async (_, to) => {
    for (const { body } of targets) assert.is((await sendRequest(to, "/a[]", {}, body)).body.toString(), body);
    assert.is((await sendRequest(to, "/a[]", {}, "[]")).status, 404);
  });
});

Servers.run();

/** Headers by name in lower case, without those that concern the connection. */
function fields(raw: readonly string[]): string[] {
  const lines = raw.flatMap((name, index) => (index % 2 === 0 ? [`${name.toLowerCase()}: ${raw[index + 1]}`] : []));
  return lines.filter((line) => !/^(date|connection|keep-alive|transfer-encoding|content-length):/.test(line)).sort();
}

const Table = suite("bench table");

const never = () => Promise.reject(new Error("not measured here"));

function row(floor: Floor, prepare: Row["prepare"] = never): Row {
  return { name: "a", title: "A", unit: "of B", floor, prepare };
}

/** The row of a table. */
function line(floor: Floor, ...outcomes: Outcome[]): string {
  return table([{ row: row(floor), outcomes }], ["Here", "old"])
    .split("\n")
    .slice(2)
    .join("\n");
}

const rounds = (...figures: Figures[]): Outcome => ({ rounds: figures });
const plan = { load: never, rounds: 2, seconds: 1, isLong: false };
const sides = ["here", "old"].map((label) => ({ label })) as Side[];

Table("shows the median of each figure with the range of its rounds, and why a side has none", () => {
  const shown: Figures[] = [
    { value: 0.9, p99: 4, p99Ratio: 0.8, perSecond: 900, processorMs: 0.1 },
    { value: 0.3, p99: 2, p99Ratio: 2, perSecond: 12_345, processorMs: 0.5 },
    { value: 0.8, p99: 90, p99Ratio: 1, perSecond: 4_000, processorMs: 0.04 },
  ];
  assert.is(
    line({ atLeast: 0.5, p99AtMost: 3 }, rounds(...shown)),
    "| A | of B | ≥ 0.5, p99 ≤ 3 × | 0.80 (0.30 to 0.90) | 4.00 (1.00 ×) | 4,000; 0.10 ms | met |",
  );
  const reason = "failed: Error: a | b\n  c";
  assert.is(line({ atLeast: 1 }, { reason, isFailure: true }), "| A | of B | ≥ 1 | failed: Error: a b c |  |  |  |");
});

Table("shows another commit beside this one, and judges this one alone", () => {
  const both = line({ atMost: 3 }, rounds({ value: 4.5 }), rounds({ value: 2 }));
  assert.is(both, "| A | of B | ≤ 3 | 4.50 |  |  | 2.00 |  |  | missed |");
});

Table("counts a figure at its floor as met, and one beyond it or a higher p99 as missed", () => {
  const isMet = (floor: Floor, figures: Figures) => line(floor, rounds(figures)).endsWith("| met |");
  assert.ok(isMet({ atLeast: 0.5 }, { value: 0.5 }));
  assert.not.ok(isMet({ atLeast: 0.5 }, { value: 0.49 }));
  assert.ok(isMet({ atMost: 5 }, { value: 5 }));
  for (const value of [5.1, Number.NaN]) assert.not.ok(isMet({ atMost: 5 }, { value }));
  assert.ok(isMet({ atLeast: 0.5, p99AtMost: 3 }, { value: 0.9, p99Ratio: 3 }));
  assert.not.ok(isMet({ atLeast: 0.5, p99AtMost: 3 }, { value: 0.9, p99Ratio: 3.1 }));
});

Table("measures the sides in turns, and ends what a row has prepared in reverse order", async () => {
  const events: string[] = [];
  const measured = row({}, async ({ label }, { defer }) => {
    defer(() => events.push(`end ${label}`));
    return async () => ({ value: events.push(label) });
  });
  const outcomes = await measure(measured, sides, plan);
  assert.equal(events, ["here", "old", "here", "old", "end old", "end here"]);
  assert.equal(outcomes, [{ rounds: [{ value: 1 }, { value: 3 }] }, { rounds: [{ value: 2 }, { value: 4 }] }]);
  events.length = 0;
  await measure({ ...measured, isOnce: true }, sides, plan);
  assert.equal(events, ["here", "old", "end old", "end here"]);
});

Table("continues with the other side where one fails or does not support a row", async () => {
  let isFirst = true;
  const fails = row({}, async ({ label }) => {
    if (label === "old") throw new NotSupported();
    return async () => {
      if (!isFirst) throw new Error("broken");
      isFirst = false;
      return { value: 1 };
    };
  });
  assert.equal(await measure(fails, sides, plan), [
    { reason: "failed: Error: broken", isFailure: true },
    { reason: "not supported", isFailure: false },
  ]);
});

Table("has a name of its own and a floor for each row", () => {
  assert.is(new Set(rows.map(({ name }) => name)).size, rows.length);
  for (const { name, floor } of rows) assert.ok(floor.atLeast !== undefined || floor.atMost !== undefined, name);
});

Table.run();
