import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Misdeed, startBadServer, startBadSocketServer } from "./bad-server.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";

const Planted = suite("fuzzers on planted faults");

const json = { "content-type": "application/json", "x-content-type-options": "nosniff", "cache-control": "no-store" };
const failure = '{"responseStatus":{"errorCode":"NotFound","message":"No."}}';
const misdeeds: [what: string, misdeed: Misdeed, found: RegExp][] = [
  ["a 500", (response) => response.writeHead(500, json).end(failure), /the status is 500/],
  ["broken JSON", (response) => response.writeHead(200, json).end('{"results":['), /JSON|not a call|body that/],
  [
    "another error shape",
    (response) => response.writeHead(404, json).end('{"error":"No."}'),
    /errorCode undefined|not a call|body that/,
  ],
  [
    "a code that is not its status's",
    (response) => response.writeHead(400, json).end(failure),
    /NotFound with status 400|not a call|body that/,
  ],
  [
    "another content type",
    (response) => response.writeHead(200, { ...json, "content-type": "text/plain" }).end("{}"),
    /content type is|body that/,
  ],
  ["silence", () => {}, /no reply within/],
  ["a hang-up", (response) => response.destroy(), /no reply/],
];
for (const [what, misdeed, found] of misdeeds) {
  Planted(`find ${what} in one reply of a thousand, and say how to see it again`, async () => {
    const server = await startBadServer(misdeed);
    const target = { url: server.url, checkLog: () => {}, deadlineMs: 1_000 };
    const error = await failureOf(fuzzHttp(target, 2_000, 5));
    await server.stop();
    assert.match(error, found);
    assert.match(error, /again with: npm run fuzz -- 100 \d+\n/);
  });
}

Planted("find nothing where nothing is wrong", async () => {
  const server = await startBadServer((response) => response.writeHead(404, json).end(failure));
  await fuzzHttp({ url: server.url, checkLog: () => {}, deadlineMs: 5_000 }, 900, 5).finally(() => server.stop());
});

Planted("find a defect that only the log tells of", async () => {
  const server = await startBadServer(() => {});
  const checkLog = () => {
    throw new Error("the log holds a defect");
  };
  assert.match(await failureOf(fuzzHttp({ url: server.url, checkLog }, 100, 5)), /the log holds a defect/);
  await server.stop();
});

const badBytes: [what: string, bytes: string | undefined, found: RegExp][] = [
  ["a reply of half a head", "HTTP/1.1 400 Bad", /no end of a reply's head/],
  ["what is no reply", "sorry\r\n\r\n", /not a status line/],
  ["a body cut short", "HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\n{", /1 of 9 bytes/],
  ["no reply at all", "", /without a reply/],
  ["a connection that hangs", undefined, /the connection hangs/],
];
for (const [what, bytes, found] of badBytes) {
  Planted(`find ${what} on one connection of a thousand`, async () => {
    const server = await startBadSocketServer(bytes);
    const error = await failureOf(fuzzRaw({ url: server.url, checkLog: () => {}, deadlineMs: 1_000 }, 500, 4_000, 5));
    await server.stop();
    assert.match(error, found);
    assert.match(error, /again with: npm run fuzz -- 100 \d+\n/);
  });
}

Planted.run();

async function failureOf(run: Promise<void>): Promise<string> {
  return run.then(
    () => assert.unreachable("nothing was found") as never,
    (error: Error) => error.message,
  );
}
