import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { useFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw, parseReplies, readUntilClosed, statusesOf } from "./raw-socket.ts";

const Pipelined = suite("pipelined requests");
const gateway = useFakeGateway(Pipelined);
/** Answers the requests that are held, the oldest first. */
let held: (() => void)[] = [];

Pipelined.before.each(() => {
  held = [];
  const hold = <T>(answer: T) => new Promise<T>((resolve) => held.push(() => resolve(answer)));
  gateway.answers.registration = () => hold({ userId: 1n, sessionId: "s", userName: "ann", responseStatus: {} });
  gateway.answers.socialUsers = () => hold({ results: [] });
  gateway.answers.socialTimelines = () => hold({ results: [], version: "s1.0" });
});

const get = "GET /social/ann HTTP/1.1\r\nHost: x\r\n\r\n";
const registration = '{"userName":"ann","password":"correct horse"}';
const post = `POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: ${registration.length}\r\n\r\n${registration}`;
const served = () => gateway.calls.map(({ operation }) => operation);

/** Answers one held request after the other, and gives those that had been begun before each answer. */
async function answerEach(count: number): Promise<string[][]> {
  const begun: string[][] = [];
  for (let index = 0; index < count; index++) {
    await eventually("a request", async () => held.length > index);
    // Others that are begun at the same time have been by then.
    await sleep(20);
    begun.push(served());
    held[index]?.();
  }
  return begun;
}

const [R, U] = ["Registration", "SocialUsers"] as const;

for (const [how, pieces] of [
  ["together", post + get + get + post + get],
  ["each by itself", [post, get, get, post, get]],
] as const) {
  Pipelined(`are served one after the other when they come ${how}`, async () => {
    const replies = exchangeRaw(gateway.port, pieces, 5);
    assert.equal(await answerEach(5), [[R], [R, U], [R, U, U], [R, U, U, R], [R, U, U, R, U]]);
    assert.equal(statusesOf(await replies), [200, 200, 200, 200, 200]);
  });
}

Pipelined("let others be served meanwhile", async () => {
  gateway.answers.socialUsers = () => ({ results: [] });
  const replies = exchangeRaw(gateway.port, get.repeat(200), 200);
  assert.is((await gateway.send({ path: "/social/bea" })).status, 200);
  // Few of them were served in that time.
  assert.ok(served().length < 100, `${served().length}`);
  assert.equal([...new Set((await replies).map(({ status }) => status))], [200]);
});

Pipelined("are not served when the client has left", async () => {
  const socket = net.connect(gateway.port, "127.0.0.1").on("error", () => {});
  socket.write(post + post);
  await eventually("the first request", async () => held.length === 1);
  socket.resetAndDestroy();
  await eventually("its end", async () => gateway.logged.some(({ aborted }) => aborted === true));
  await answerEach(1);
  assert.equal(served(), ["Registration"]);
});

Pipelined("are served on a connection however many have waited on it before", async () => {
  gateway.answers.socialUsers = () => ({ results: [] });
  const socket = net.connect(gateway.port, "127.0.0.1").on("error", () => {});
  let received = "";
  socket.on("data", (bytes: Buffer) => (received += bytes.toString()));
  for (const count of [200, 400]) {
    socket.write(get.repeat(200));
    await eventually(`${count} replies`, async () => parseReplies(received).length === count || socket.closed);
    assert.is(parseReplies(received).length, count);
  }
  socket.destroy();
});

Pipelined("are not waited for without end", async () => {
  const received = readUntilClosed(gateway.port, post + get.repeat(300)).catch(() => "reset");
  await eventually("the first request", async () => held.length === 1);
  await received;
  assert.equal(served(), ["Registration"]);
});

Pipelined.run();

// Connections on which Node stops reading: a CONNECT ends its parser, which the next connection may getTimeline.

const Ended = suite("gateway connections whose parser has ended");
useFakeGateway(Ended, {}, gateway);

Ended.before(() => {
  gateway.answers.socialTimelines = ({ screenName }) => ({ results: [{ text: `of ${screenName}` }], version: "s1.0" });
});

const getTimeline = get.replace("/ann", "/ann/timelines");
const body = '{"screenName":"ann"}';
const headOf = (length: number) =>
  `POST /json/reply/SocialTimelines HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const postTimeline = headOf(body.length) + body;
const connect = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n";
/** Begins like a GET, and ends the body of a request before it. */
const likeHead = `GET /social/ann/timelines HTTP/1.1\r\n${connect}`;

/** Opens a connection and sends these requests one by one. */
async function opened(requests: readonly string[] = []) {
  const socket = net.connect({ port: gateway.port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
  let received = "";
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  for (const [index, request] of requests.entries()) {
    socket.write(request);
    await eventually("a reply", async () => received.split("HTTP/1.1 200").length > index + 1);
    await sleep(10);
  }
  return { socket, text: () => received };
}

async function writeEach(socket: net.Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(20);
  }
}

const cases: Record<string, string[]> = {
  "behind a GET": [getTimeline + connect],
  "behind a POST": [postTimeline + connect],
  "by itself": [connect],
  "behind a body that looks like the rest of a head": [
    "\r\n",
    getTimeline + headOf(likeHead.length - connect.length),
    likeHead,
  ],
};
for (const [verb, known] of Object.entries({ GET: getTimeline, POST: postTimeline })) {
  for (const [name, pieces] of Object.entries(cases)) {
    Ended(`read nothing after a CONNECT ${name}, once a ${verb} was repeated`, async () => {
      const sender = await opened(Array<string>(5).fill(known));
      await writeEach(sender.socket, pieces);
      const victim = await opened();
      await sleep(20);
      gateway.calls.length = 0;
      const publish = postTimeline.replace("SocialTimelines", "PublishStatus");
      await writeEach(sender.socket, [getTimeline, publish, publish.slice(0, -5)]);
      victim.socket.write(getTimeline.replace("ann", "bea"));
      await eventually("the reply", async () => victim.text().includes("of bea"));
      await sleep(50);
      assert.equal(victim.text().match(/HTTP\/1.1 \d+|of \w+/g), ["HTTP/1.1 200", "of bea"]);
      assert.equal(gateway.asked("screenName"), ["bea"]);
      for (const { socket } of [sender, victim]) socket.destroy();
    });
  }
}

Ended.run();
