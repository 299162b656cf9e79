import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { createLog } from "../../services/platform/log.ts";
import { createTracing } from "../../services/platform/tracing/opentelemetry.ts";
import type { Tracing } from "../../services/platform/tracing/span.ts";
import { collectLog } from "../support/collect-log.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

const Spans = suite("spans that are sent to a receiver");

Spans("do not end the process when it answers before it has read them, and closes", async () => {
  const logged: Record<string, unknown>[] = [];
  let answers = 0;
  const receiver = await listen((socket) => {
    socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    setTimeout(() => socket.destroy(), 5);
    answers++;
  });
  const tracing = createTracing("test", urlOf(receiver), 100, createLog("test", "warn", collectLog(logged)));
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
  const receiver = await listen((socket) => {
    sockets.push(socket);
    socket.resume().write("HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n{");
    answers.push(setInterval(() => socket.write(" "), 100));
  });
  const tracing = createTracing("test", urlOf(receiver), 100, createLog("test", "fatal"));
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

/** A server that calls back with each connection when a request has begun on it. */
async function listen(onRequest: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => onRequest(socket.pause()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
