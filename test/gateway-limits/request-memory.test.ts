import { once } from "node:events";
import { createServer } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { maxBytesUnsent, maxMemoryOfRequests } from "../../gateway/http/limits/limits.ts";
import { watchConnections } from "../../gateway/http/sockets/watch-connections.ts";
import { useNewFakeGateways } from "../gateway/fake-gateway.ts";
import { exchangeRaw, parseReplies, statusesOf } from "../gateway/raw-socket.ts";
import { eventually } from "../support/eventually.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Heads = suite("gateway memory of requests");

const clients: Client[] = [];
/** Answers the requests that wait for a service. */
let answerAll: () => void;

// Before the gateway stops.
Heads.after.each(() => {
  answerAll();
  for (const { socket } of clients.splice(0)) socket.destroy();
});
// Nothing ends by its deadline while a busy machine is slow.
const gateway = useNewFakeGateways(Heads, { serviceTimeoutMs: 120_000, requestTimeoutMs: 120_000 });

Heads.before.each(() => {
  const answered = new Promise<void>((resolve) => (answerAll = resolve));
  gateway.answers.socialUsers = () => answered.then(() => ({ results: [] }));
});

class Client {
  readonly socket = net.connect(gateway.port, "127.0.0.1");
  isClosed = false;
  #received = "";

  constructor() {
    this.socket.on("error", () => {});
    this.socket.on("data", (chunk: Buffer) => (this.#received += chunk.toString("latin1")));
    this.socket.on("close", () => (this.isClosed = true));
    clients.push(this);
  }

  get statuses(): number[] {
    return statusesOf(parseReplies(this.#received));
  }
}

/** 55 KB. */
const long = `X: ${"y".repeat(55_000)}\r\n`;
/** More than the budget holds. */
const count = Math.ceil(maxMemoryOfRequests / 55_000);
const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const withoutBody = `POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n${long}\r\n`;

function sendAll(number: number, bytes: string): Client[] {
  return Array.from({ length: number }, () => {
    const client = new Client();
    client.socket.write(bytes);
    return client;
  });
}

Heads("answers 503 where long heads without their bodies take too much memory, until some have ended", async () => {
  const all = sendAll(count + 20, withoutBody);
  const refused = () => all.filter(({ statuses }) => statuses[0] === 503);
  await eventually("refusals", async () => refused().length >= 20 && refused().every(({ isClosed }) => isClosed));
  assert.ok(refused().length < 40, `${refused().length} were refused`);
  // Short heads are served.
  assert.is((await gateway.send({ path: "/social/ann/timelines" })).status, 200);
  for (const { socket } of all) socket.destroy();
  await eventually("a long head is served", async () => {
    const reply = await exchangeRaw(gateway.port, get("/social/ann/timelines", long)).catch(() => []);
    return reply[0]?.status === 200;
  });
});

for (const [what, behind] of [
  ["long heads", get("/social/ann", long)],
  ["bodies", `POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n${" ".repeat(60_000)}`],
  ["chunked bodies", `POST /register HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n`],
] as const) {
  Heads(`ends connections where ${what} behind unanswered requests take too much memory together`, async () => {
    // One such request waits on each connection, since Node reads no more behind a body that is not read.
    const all = sendAll(count + 20, get("/social/ann") + behind);
    await eventually("ended connections", async () => all.filter(({ isClosed }) => isClosed).length >= 10);
    assert.ok(all.filter(({ isClosed }) => isClosed).length < 240, "half of them stay");
    // A reply to the second request would be taken for one to the first.
    assert.ok(all.every(({ statuses }) => statuses.length === 0));
    assert.is((await gateway.send({ path: "/social/ann/timelines" })).status, 200);
    answerAll();
    const isDone = async () => all.every(({ isClosed, statuses }) => isClosed || statuses[0] === 200);
    await eventually("replies to the others", isDone, 120);
  });
}

const list = (length: number, before = "") => Array.from({ length }, (_, index) => `${before}${index + 1}`).join();
const batchOf = (item: string, query = "") => {
  const items = `[${Array<string>(100).fill(item).join()}]`;
  const head = `POST /json/reply/SocialUsers[]${query} HTTP/1.1\r\nHost: x\r\nContent-Length: ${items.length}\r\n\r\n`;
  return head + items;
};
/** By name: each user is asked for once for all batches. */
const itemOf = (users: number) => `{"screenNames":"${list(users, "n")}"}`;
for (const [what, bytes, number] of [
  ["long lists", get(`/json/reply/SocialUsers?userIds=${list(1_000)}`), Math.ceil(maxMemoryOfRequests / 96_000)],
  ["batches", batchOf(itemOf(1)), Math.ceil(maxMemoryOfRequests / 76_800)],
  ["batches of lists", batchOf(itemOf(100)), Math.ceil(maxMemoryOfRequests / (76_800 + 960_000))],
] as const) {
  Heads(`answers 503 where ${what} that wait for a service take too much memory, and 200 to the others`, async () => {
    const all = sendAll(number + 20, bytes);
    const refused = () => all.filter(({ statuses }) => statuses[0] === 503);
    await eventually("refusals", async () => refused().length >= 20);
    assert.is((await gateway.send({ path: "/social/ann/timelines" })).status, 200);
    answerAll();
    await eventually("replies to all", async () => all.every(({ statuses }) => statuses.length > 0), 120);
    assert.ok(refused().length < 60, `${refused().length} were refused`);
    const again = await gateway.send({ path: `/json/reply/SocialUsers?userIds=${list(999)}` });
    assert.is(again.status, 200);
  });
}

Heads("counts the names of the query once for all items of a batch", async () => {
  const all = sendAll(10, batchOf("{}", `?screenNames=${list(1_000, "n")}`));
  // The names are asked for in two calls, each for all batches that wait.
  await eventually("names are asked for", async () => gateway.calls.length > 0);
  // Read after the batches, which are under way then.
  assert.is((await gateway.send({ path: "/social/ann/timelines" })).status, 200);
  assert.ok(all.every(({ statuses }) => statuses.length === 0));
  answerAll();
  await eventually("all are answered", async () => all.every(({ statuses }) => statuses[0] === 200));
});

Heads("does not count heads of requests that were answered", async () => {
  const headers = { x: "y".repeat(55_000) };
  for (let sent = 0; sent < count + 20; sent++) {
    assert.is((await gateway.send({ path: "/social/ann/timelines", headers })).status, 200);
  }
});

Heads.run();

const Unread = suite("gateway replies that are not read");

/** More than the system's buffers for one connection. */
const replyBytes = 16 * 1024 * 1024;
const tooMany = Math.ceil((1.2 * maxBytesUnsent) / replyBytes);

Unread("end the connection of a client that reads nothing for too long", () =>
  withClients({ count: 1, longestStallMs: 300 }, async ([accepted]) => {
    await eventually("the end", async () => accepted?.destroyed === true, 10);
  }),
);

Unread("end a quarter of their connections when they fill the memory", () =>
  withClients({ count: tooMany }, async (accepted) => {
    await eventually("the first ends", async () => accepted.some(({ destroyed }) => destroyed), 10);
    assert.ok(accepted.some(({ destroyed }) => !destroyed));
  }),
);

Unread("are sent to the end while other buffers fill the memory", async () => {
  const other = Buffer.alloc(2 * maxBytesUnsent);
  await withClients({ count: 1 }, readLate);
  assert.is(other.length, 2 * maxBytesUnsent);
});

Unread("are sent to the end while cached pages fill the memory", () =>
  withClients({ count: tooMany, pageCacheBytes: 1024 ** 4 }, readLate),
);

Unread.run();

/** Clients begin to read after the time in which one counts as not reading, and get everything. */
async function readLate(accepted: net.Socket[], clients: net.Socket[]): Promise<void> {
  await sleep(1_500);
  assert.ok(accepted.every(({ destroyed }) => !destroyed));
  for (const client of clients) {
    let read = 0;
    client.on("data", (bytes: Buffer) => (read += bytes.length)).resume();
    await eventually("the whole reply", async () => read > replyBytes);
  }
}

/** @param use is given the sockets of the server and those of its clients, which have sent a request each and read nothing */
async function withClients(
  { count, pageCacheBytes = 0, longestStallMs }: { count: number; pageCacheBytes?: number; longestStallMs?: number },
  use: (accepted: net.Socket[], clients: net.Socket[]) => Promise<void>,
): Promise<void> {
  const accepted: net.Socket[] = [];
  const server = createServer(({ socket }, response) => {
    accepted.push(socket);
    response.end(Buffer.alloc(replyBytes));
  });
  const { stop } = watchConnections(server, pageCacheBytes, new WeakMap(), longestStallMs);
  const port = await listen(server);
  const clients = Array.from({ length: count }, () => net.connect(port, "127.0.0.1").on("error", () => {}));
  try {
    for (const client of clients) {
      await once(client, "connect");
      client.pause().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    await eventually("all requests", async () => accepted.length === count);
    await use(accepted, clients);
  } finally {
    for (const client of clients) client.destroy();
    stop();
    server.close();
  }
}
