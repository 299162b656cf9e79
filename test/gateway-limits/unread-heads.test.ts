import { subscribe, unsubscribe } from "node:diagnostics_channel";
import net from "node:net";
import * as assert from "uvu/assert";
import { type FakeGateway, startFakeGateway } from "../gateway/fake-gateway.ts";
import { parseReplies, type RawReply } from "../gateway/raw-socket.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

// Requests of one connection that have the same bytes: Node reads the first three, the fast path alone the later ones.
const Unread = suite("gateway requests that Node does not read");

let gateway: FakeGateway;
let readByNode = 0;
const countRead = () => readByNode++;

Unread.before.each(async () => {
  subscribe("http.server.request.start", countRead);
  gateway = await startFakeGateway({ pageCacheBytes: 2 ** 20 });
});
Unread.after.each(async () => {
  unsubscribe("http.server.request.start", countRead);
  await gateway.stop();
});

class Connection {
  readonly socket: net.Socket;
  #received = "";
  #replies = 0;

  constructor() {
    this.socket = net.connect({ port: gateway.port, host: "127.0.0.1", noDelay: true });
    this.socket.on("error", () => {});
    this.socket.on("data", (chunk: Buffer) => (this.#received += chunk.toString("latin1")));
  }

  /** Sends a head and resolves to its reply. */
  async send(head: string): Promise<RawReply> {
    this.socket.write(head);
    await eventually("a reply", async () => parseReplies(this.#received).length > this.#replies);
    return parseReplies(this.#received)[this.#replies++] as RawReply;
  }

  /** Sends a head until Node does not read it any more. */
  async untilUnread(head: string): Promise<void> {
    await eventually("a request that Node does not read", async () => {
      const before = readByNode;
      await this.send(head);
      return readByNode === before;
    });
  }

  /** The same for the first connection of a test. */
  async repeat(head: string): Promise<void> {
    await this.untilUnread(head);
    await eventually("the lines of the log", async () => lines().length === this.#replies);
  }
}

function lines(): Record<string, unknown>[] {
  return gateway.logged.filter(({ msg }) => msg === "request");
}

const get = (target: string, fields = "") => `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;

for (const [name, head, status] of [
  ["a timeline", get("/social/ann/timelines"), 200],
  ["a page of another origin", get("/social/ann/timelines", "Origin: https://a.example\r\n"), 200],
  ["a JSONP call", get("/social/ann/timelines?callback=f"), 200],
  ["a page that the client has", get("/social/ann/timelines", "If-None-Match: *\r\n"), 304],
] as const) {
  Unread(`get the same reply and the same log line: ${name}`, async () => {
    const connection = new Connection();
    const first = await connection.send(head);
    assert.is(first.status, status);
    await connection.repeat(head);
    const last = await connection.send(head);
    assert.equal(
      { ...last, headers: { ...last.headers, date: "" } },
      { ...first, headers: { ...first.headers, date: "" } },
    );
    await eventually("the line", async () => lines().length >= 5);
    const [line, ...others] = lines().map((own) => ({ ...own, time: 0, ms: 0, reference: "" }));
    for (const other of others) assert.equal(other, line);
    connection.socket.destroy();
  });
}

Unread("show what has changed", async () => {
  const connection = new Connection();
  const head = get("/social/ann/timelines");
  await connection.repeat(head);
  gateway.answers.listTokens = ({ screenNames }) => ({ tokens: screenNames.map(() => "s2.0"), keepMs: 60_000 });
  gateway.answers.socialTimelines = () => ({ results: [{ id: 7n }], freshness: "s2.0" });
  const before = readByNode;
  assert.match((await connection.send(head)).body, '"id":7');
  assert.is(readByNode, before);
  connection.socket.destroy();
});

Unread("get the errors of the router", async () => {
  const connection = new Connection();
  const head = get("/social/ann/timelines");
  await connection.repeat(head);
  gateway.answers.listTokens = () => {
    throw new Error("no tokens");
  };
  const reply = await connection.send(head);
  assert.is(reply.status, 500);
  assert.match(reply.body, '"responseStatus":{"errorCode":"');
  connection.socket.destroy();
});

Unread("end their connection where the client wants that", async () => {
  for (let round = 1; round <= 2; round++) {
    const connection = new Connection();
    await connection.untilUnread(get("/social/ann/timelines"));
    const last = await connection.send(get("/social/ann/timelines", "Connection: close\r\n"));
    assert.equal([last.status, last.headers["connection"]], [200, "close"]);
    await eventually("the end", async () => connection.socket.readableEnded);
  }
});

Unread("are answered during a stop", async () => {
  const connection = new Connection();
  const head = get("/social/ann/timelines");
  await connection.repeat(head);
  let answer = (_tokens: { tokens: string[]; keepMs: number }) => {};
  let isAsked = false;
  gateway.answers.listTokens = () =>
    new Promise((resolve) => {
      isAsked = true;
      answer = resolve;
    });
  const before = readByNode;
  const replied = connection.send(head);
  await eventually("the question", async () => isAsked);
  const stopped = gateway.stop();
  await new Promise((resolve) => setTimeout(resolve, 200));
  answer({ tokens: ["s1.0"], keepMs: 60_000 });
  assert.is((await replied).status, 200);
  assert.is(readByNode, before);
  await stopped;
});

for (const [how, leave] of [
  ["reset the connection", (socket: net.Socket) => socket.resetAndDestroy()],
  ["ended its side", (socket: net.Socket) => socket.end()],
] as const) {
  Unread(`leave a line in the log when the client has ${how} before they fail`, async () => {
    const connection = new Connection();
    const head = get("/social/ann/timelines");
    await connection.repeat(head);
    let fail = (_error: Error) => {};
    let isAsked = false;
    gateway.answers.listTokens = () =>
      new Promise((_resolve, reject) => {
        isAsked = true;
        fail = reject;
      });
    const count = lines().length;
    connection.socket.write(head);
    await eventually("the question", async () => isAsked);
    leave(connection.socket);
    await new Promise((resolve) => setTimeout(resolve, 100));
    fail(new Error("no tokens"));
    await eventually("the line", async () => lines().length > count);
    assert.is(lines().at(-1)?.aborted, true);
  });
}

Unread.run();
