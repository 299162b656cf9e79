import http, { type ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import type { TestDatabase } from "../support/test-database.ts";
import { fuzzHttp, type KnownWords } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { fuzzRefused } from "./fuzz-refused.ts";

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

Planted.run();

async function failureOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => assert.unreachable("nothing was found") as never,
    (error: Error) => error.message,
  );
}

/** Every nth reply of a bad server is wrong. */
const faultInterval = 300;

/** Connections that may wait to be accepted: the fuzzer opens up to 800 at once, and a refused one is repeated after seconds. */
const backlog = 2_048;

/** Sends a wrong reply. */
type ReplyFault = (response: ServerResponse) => void;

interface BadServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts a server that replies as the contract says, except for every `faultInterval`th reply. */
async function startBadServer(fault: ReplyFault): Promise<BadServer> {
  let requests = 0;
  let isDue = false;
  const answer: http.RequestListener = (request, response) => {
    request.resume();
    requests++;
    isDue ||= requests % faultInterval === 0;
    const callback = /[?&]callback=(f|\$|jQuery\w+)(?:&|$)/i.exec(request.url as string)?.[1];
    // A fault is no script, which would be a fault of its own.
    if (isDue && callback === undefined) {
      isDue = false;
      fault(response);
      return;
    }
    const type = callback === undefined ? "application/json" : "text/javascript; charset=utf-8";
    response.writeHead(200, { "content-type": type, "x-content-type-options": "nosniff", "cache-control": "no-store" });
    response.end(callback === undefined ? '{"results":[]}' : `${callback}({"results":[]})`);
  };
  const server = http.createServer({ maxHeaderSize: 65_536 }, answer).on("checkExpectation", answer);
  const port = await listen(server, backlog);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => stopListening(server),
  };
}

/** Starts a server that sends a right reply on each connection and closes it; every `faultInterval`th one gets `bytes` instead. */
async function startBadSocketServer(bytes: string | undefined): Promise<BadServer> {
  const reply = '{"results":[]}';
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\ncontent-length: ${reply.length}`;
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    socket.resume();
    connections++;
    const bad = connections % faultInterval === 0;
    if (bad && bytes === undefined) return;
    socket.end(bad && bytes !== undefined ? bytes : `${head}\r\nconnection: close\r\n\r\n${reply}`);
  });
  const port = await listen(server, backlog);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
