import { createServer, type Server, type Socket } from "node:net";
import { Histogram, Registry as Library } from "prom-client";
import * as assert from "uvu/assert";
import { createLog } from "../../services/platform/log.ts";
import { serveAdmin } from "../../services/platform/metrics/admin-server.ts";
import { addGauge, createCounters, createHistograms } from "../../services/platform/metrics/instruments.ts";
import { createPage } from "../../services/platform/metrics/page.ts";
import { createRegistry, type Registry } from "../../services/platform/metrics/registry.ts";
import { createTracing } from "../../services/platform/tracing/opentelemetry.ts";
import type { Tracing } from "../../services/platform/tracing/span.ts";
import { collectLog } from "../support/collect-log.ts";
import { eventually } from "../support/eventually.ts";
import { freePort, listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Metrics = suite("metrics");

/** The lines of a registry, without Node's own metrics. */
async function linesOf(registry: Registry): Promise<string[]> {
  const lines = (await createPage(registry).text()).split("\n");
  return lines.filter((line) => registry.metrics.some(({ name }) => line.replace(/^# \w+ /, "").startsWith(name)));
}

Metrics("writes histograms exactly like the library's own", async () => {
  const [ours, theirs] = [createRegistry(), new Library()];
  const buckets = [0.5, 1, 10];
  const histograms = createHistograms(ours, "wing_span", "Wings.", ["bird"], buckets);
  const names = { name: "wing_span", help: "Wings.", labelNames: ["bird"] };
  const histogram = new Histogram({ ...names, buckets, registers: [theirs] });
  for (const value of [0.25, 0.5, 1.5, 10, 11]) {
    const bird = value < 1 ? "wren" : "rook";
    histograms.of(bird).observe(value);
    histogram.observe({ bird }, value);
  }
  const sorted = (lines: string[]) =>
    lines.map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(",").toSorted().join(",")}}`));
  const expected = (await theirs.metrics()).split("\n").filter((line) => line !== "");
  assert.equal(sorted(await linesOf(ours)), sorted(expected));
  assert.ok((await linesOf(ours)).includes('wing_span_bucket{bird="rook",le="10"} 2'));
});

Metrics("leaves out metrics that fail or hang, and shows the others", async () => {
  const registry = createRegistry();
  addGauge(registry, "away", "Rejects.", "state", () => Promise.reject(new Error("away")));
  addGauge(registry, "stuck", "Never answers.", "state", () => new Promise(() => {}));
  addGauge(registry, "fine", "Answers.", "state", () => ({ high: 3, unknown: undefined }));
  const samples = (await linesOf(registry)).filter((line) => !line.startsWith("#"));
  assert.equal(samples, ['fine{state="high"} 3']);
});

Metrics("are served on a separate port, without anything else, and on none unless it is configured", async () => {
  const registry = createRegistry();
  createCounters(registry, "eggs_total", "Eggs.").of().value = 7;
  const adminPort = await freePort();
  const url = `http://127.0.0.1:${adminPort}`;
  const server = await serveAdmin({ host: "127.0.0.1", adminPort }, registry, createLog("test", "silent"));
  try {
    const reply = await fetch(`${url}/metrics`);
    const text = await reply.text();
    assert.match(reply.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    assert.match(text, "\neggs_total 7\n");
    assert.match(text, /\nnodejs_eventloop_lag_p99_seconds \d/);
    assert.match(text, /\nprocess_resident_memory_bytes \d/);
    assert.is((await fetch(`${url}/metrics`, { method: "HEAD" })).status, 200);
    assert.is((await fetch(`${url}/metrics`, { method: "POST" })).status, 405);
    for (const path of ["/", "/metricsx", "/metrics/"]) assert.is((await fetch(url + path)).status, 404, path);
  } finally {
    await server.close();
  }
  await fetch(url).then(
    () => assert.unreachable(),
    () => {},
  );
  // It would fail to listen there.
  const none = await serveAdmin({ host: "nowhere.invalid", adminPort: undefined }, registry, createLog("t", "silent"));
  await none.close();
});

Metrics.run();

const Spans = suite("spans that are sent to a receiver");

Spans("do not end the process when it answers before it has read them, and closes", async () => {
  const logged: Record<string, unknown>[] = [];
  let answers = 0;
  const { receiver, url } = await receive((socket) => {
    socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    setTimeout(() => socket.destroy(), 5);
    answers++;
  });
  const tracing = createTracing("test", url, 100, createLog("test", "warn", collectLog(logged)));
  for (let batch = 1; batch <= 3; batch++) {
    sendBatch(tracing);
    await eventually("an answer", async () => answers >= batch);
  }
  await eventually("a line of the log", async () => logged.some(({ msg }) => msg === "traces get lost"));
  await tracing.close();
  receiver.close();
});

Spans("delay the end of a process by less than the second that its deadline leaves for them", async () => {
  const answers: NodeJS.Timeout[] = [];
  const sockets: Socket[] = [];
  // Its answer never ends.
  const { receiver, url } = await receive((socket) => {
    sockets.push(socket);
    socket.resume().write("HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n{");
    answers.push(setInterval(() => socket.write(" "), 100));
  });
  const tracing = createTracing("test", url, 100, createLog("test", "fatal"));
  sendBatch(tracing);
  await eventually("a batch", async () => sockets.length > 0);
  const start = performance.now();
  await tracing.close();
  assert.ok(performance.now() - start < 2_000, `${performance.now() - start} ms`);
  for (const answer of answers) clearInterval(answer);
  for (const socket of sockets) socket.destroy();
  receiver.close();
});

Spans.run();

/** As many spans as are sent at once, with so much text that they do not fit into the buffers of a connection. */
function sendBatch(tracing: Tracing): void {
  for (let count = 0; count < 512; count++) tracing.begin("x".repeat(16_000)).end();
}

/** A server that calls back with each connection when a request has begun on it, and its address. */
async function receive(onRequest: (socket: Socket) => void): Promise<{ receiver: Server; url: string }> {
  const receiver = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => onRequest(socket.pause()));
  });
  return { receiver, url: `http://127.0.0.1:${await listen(receiver)}` };
}
