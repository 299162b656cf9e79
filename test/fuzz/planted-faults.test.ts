import { connect, createServer, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import type { TestDatabase } from "../support/test-database.ts";
import { type ReplyFault, startBadServer, startBadSocketServer } from "./bad-server.ts";
import { fuzzHttp, type KnownWords } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { fuzzRefused } from "./fuzz-refused.ts";
import { countSockets, leftOpen } from "./socket-counter.ts";

const Planted = suite("fuzzers on planted faults");

const json = { "content-type": "application/json", "x-content-type-options": "nosniff", "cache-control": "no-store" };
const failure = '{"responseStatus":{"errorCode":"NotFound","message":"No."}}';
const replyFaults: [what: string, fault: ReplyFault, found: RegExp][] = [
  ["a 500", (response) => response.writeHead(500, json).end(failure), /the status is 500/],
  ["broken JSON", (response) => response.writeHead(200, json).end('{"results":['), /JSON|not a call|body that/],
  [
    "another error shape",
    (response) => response.writeHead(404, json).end('{"error":"No."}'),
    /errorCode undefined|not a call|body that/,
  ],
  [
    "a code of another status",
    (response) => response.writeHead(400, json).end(failure),
    /NotFound with status 400|not a call|body that/,
  ],
  [
    "another content type",
    (response) => response.writeHead(200, { ...json, "content-type": "text/plain" }).end("{}"),
    /content type is|body that/,
  ],
  ["a missing reply", () => {}, /no reply within/],
  ["a closed connection", (response) => response.destroy(), /no reply/],
];
for (const [what, fault, found] of replyFaults) {
  Planted(`find ${what} in one reply of hundreds, and print the command that repeats it`, async () => {
    const server = await startBadServer(fault);
    // Where none is missing, a busy machine must not seem to be a server that does not reply.
    const deadlineMs = what === "a missing reply" ? 1_000 : 30_000;
    const target = { url: server.url, checkLog: () => {}, deadlineMs };
    const error = await failureOf(fuzzHttp(target, 600, 5));
    await server.stop();
    assert.match(error, found, error);
    assert.match(error, /again with: npm run fuzz -- 100 \d+\n/);
  });
}

Planted("find nothing in right replies", async () => {
  const server = await startBadServer((response) => response.writeHead(404, json).end(failure));
  await fuzzHttp({ url: server.url, checkLog: () => {}, deadlineMs: 5_000 }, 300, 5).finally(() => server.stop());
});

Planted("find a defect that only the log shows", async () => {
  const server = await startBadServer(() => {});
  const checkLog = () => {
    throw new Error("the log holds a defect");
  };
  assert.match(await failureOf(fuzzHttp({ url: server.url, checkLog }, 100, 5)), /the log holds a defect/);
  await server.stop();
});

Planted("find a refused request that changed something", async () => {
  const server = await startBadServer((response) => response.writeHead(404, json).end(failure));
  let digest = 0;
  const database = { query: async () => [{ name: "t", digest: digest++ }] } as unknown as TestDatabase;
  const known: KnownWords = { fill: (asked) => asked, note: () => {}, renew: async () => {} };
  const error = await failureOf(
    fuzzRefused({ url: server.url, database, known, checkLog: () => {}, stop: async () => {} }, 600, 4),
  );
  await server.stop();
  assert.match(error, /refused with 404, and something changed/, error);
});

const badBytes: [what: string, bytes: string | undefined, found: RegExp][] = [
  ["a reply with truncated headers", "HTTP/1.1 400 Bad", /no end of a reply's headers/],
  ["bytes that are not a reply", "sorry\r\n\r\n", /not a status line/],
  ["a truncated body", "HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\n{", /1 of 9 bytes/],
  ["no reply at all", "", /without a reply/],
  ["a connection that hangs", undefined, /the connection hangs/],
];
for (const [what, bytes, found] of badBytes) {
  Planted(`find ${what} on one connection of hundreds`, async () => {
    const server = await startBadSocketServer(bytes);
    // Where none hangs, a busy machine must not seem to be a server that hangs.
    const [timeoutsMs, deadlineMs] = bytes === undefined ? [200, 1_000] : [2_000, 30_000];
    const error = await failureOf(fuzzRaw({ url: server.url, checkLog: () => {}, deadlineMs }, timeoutsMs, 1_200, 5));
    await server.stop();
    // The bad connection may be that of the normal request after a batch.
    if (!error.includes("  after the batch: ")) assert.match(error, found, error);
    assert.match(error, /again with: npm run fuzz -- 100 \d+\n/);
  });
}

Planted("find a socket that the server does not close after its client has closed it", async () => {
  // Half-open, so that a socket stays open until the server ends it.
  const open: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    if (open.length > 0) socket.end();
    else open.push(socket.resume());
  });
  const port = await listen(server);
  const sockets = countSockets(port);
  const otherPort = countSockets(port + 1);
  for (let client = 0; client < 3; client++) await connectAndLeave(port);
  assert.is(await leftOpen(sockets), 1);
  assert.is(otherPort.open(), 0);
  open[0]?.end();
  assert.is(await leftOpen(sockets), 0);
  sockets.end();
  otherPort.end();
  await new Promise((resolve) => server.close(resolve));
});

Planted.run();

function connectAndLeave(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end());
    // For the client a half-closed connection is closed.
    socket.once("end", resolve).once("close", resolve).resume();
    setTimeout(resolve, 200);
  });
}

async function failureOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => assert.unreachable("nothing was found") as never,
    (error: Error) => error.message,
  );
}
