import http, { type ServerResponse } from "node:http";
import net from "node:net";
import * as assert from "uvu/assert";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import type { TestDatabase } from "../support/test-database.ts";
import { fuzzHttp, type KnownWords } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { fuzzRefused } from "./fuzz-refused.ts";

const Planted = suite("fuzzers on planted faults");

const json = { "content-type": "application/json", "x-content-type-options": "nosniff", "cache-control": "no-store" };
const failure = '{"responseStatus":{"errorCode":"NotFound","message":"No."}}';
const replyFaults: [what: string, fault: (response: ServerResponse) => void, found: RegExp][] = [
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
    // Where none is missing, a busy machine must not seem to be a server that does not reply.
    const deadlineMs = what === "a missing reply" ? 1_000 : 30_000;
    const error = await failureOn(badServer(fault), (url) => fuzzHttp({ url, checkLog: () => {}, deadlineMs }, 600, 5));
    assert.match(error, found, error);
    assert.match(error, /again with: npm run fuzz -- 100 \d+\n/);
  });
}

Planted("find a defect that only the log shows", async () => {
  const checkLog = () => {
    throw new Error("the log holds a defect");
  };
  const error = await failureOn(
    badServer(() => {}),
    (url) => fuzzHttp({ url, checkLog }, 100, 5),
  );
  assert.match(error, /the log holds a defect/);
});

Planted("find a refused request that changed something", async () => {
  let digest = 0;
  const database = { query: async () => [{ name: "t", digest: digest++ }] } as unknown as TestDatabase;
  const known: KnownWords = { fill: (asked) => asked, note: () => {}, renew: async () => {} };
  const system = { database, known, checkLog: () => {}, stop: async () => {} };
  const refusing = badServer((response) => response.writeHead(404, json).end(failure));
  const error = await failureOn(refusing, (url) => fuzzRefused({ url, ...system }, 600, 4));
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
    // Where none hangs, a busy machine must not seem to be a server that hangs.
    const [timeoutsMs, deadlineMs] = bytes === undefined ? [200, 1_000] : [2_000, 30_000];
    const error = await failureOn(badSocketServer(bytes), (url) =>
      fuzzRaw({ url, checkLog: () => {}, deadlineMs }, timeoutsMs, 1_200, 5),
    );
    // The bad connection may be that of the normal request after a batch.
    if (!error.includes("  after the batch: ")) assert.match(error, found, error);
    assert.match(error, /again with: npm run fuzz -- 100 \d+\n/);
  });
}

Planted.run();

/** What the fuzzer finds on a server. */
async function failureOn(server: net.Server, fuzz: (url: string) => Promise<unknown>): Promise<string> {
  const open = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => open.add(socket.on("close", () => open.delete(socket))));
  // Many may wait: the fuzzer opens up to 800 connections at once, and a refused one is repeated after seconds.
  const port = await listen(server, 2_048);
  const found = await fuzz(`http://127.0.0.1:${port}`).then(
    () => undefined,
    (error: Error) => error.message,
  );
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  if (found === undefined) throw new Error("nothing was found");
  return found;
}

/** Every nth reply of a bad server is wrong. */
const faultInterval = 300;

/** A server that replies as the contract says, except for every `faultInterval`th reply. */
function badServer(fault: (response: ServerResponse) => void): http.Server {
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
    response.writeHead(200, { ...json, "content-type": type });
    response.end(callback === undefined ? '{"results":[]}' : `${callback}({"results":[]})`);
  };
  return http.createServer({ maxHeaderSize: 65_536 }, answer).on("checkExpectation", answer);
}

/** A server that sends a right reply on each connection and closes it; every `faultInterval`th one gets `bytes` instead. */
function badSocketServer(bytes: string | undefined): net.Server {
  const head =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\ncontent-length: 14";
  let connections = 0;
  return net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    socket.resume();
    if (++connections % faultInterval > 0) socket.end(`${head}\r\nconnection: close\r\n\r\n{"results":[]}`);
    else if (bytes !== undefined) socket.end(bytes);
  });
}
