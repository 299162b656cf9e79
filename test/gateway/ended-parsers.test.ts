// Connections on which Node stops reading: a CONNECT ends its parser, which the next connection may get.
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Ended = suite("gateway connections whose parser has ended");

let gateway: FakeGateway;

Ended.before(async () => {
  gateway = await startFakeGateway();
  gateway.answers.socialTimelines = ({ screenName }) => ({
    results: [{ text: `of ${screenName}` }],
    version: "s1.0",
  });
});
Ended.after(() => gateway?.stop());

const get = "GET /social/ann/timelines HTTP/1.1\r\nHost: x\r\n\r\n";
const body = '{"screenName":"ann"}';
const post = `POST /json/reply/SocialTimelines HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const connect = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n";
/** Begins like a GET, and ends the body of a request before it. */
const likeHead = `GET /social/ann/timelines HTTP/1.1\r\n${connect}`;
const openBody = `POST /json/reply/SocialTimelines HTTP/1.1\r\nHost: x\r\nContent-Length: ${likeHead.length - connect.length}\r\n\r\n`;

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

const cases: Record<string, string[]> = {
  "behind a GET": [get + connect],
  "behind a POST": [post + connect],
  "by itself": [connect],
  "behind a body that looks like the rest of a head": ["\r\n", get + openBody, likeHead],
};
for (const [verb, known] of Object.entries({ GET: get, POST: post })) {
  for (const [name, pieces] of Object.entries(cases)) {
    Ended(`read nothing after a CONNECT ${name}, once a ${verb} was repeated`, async () => {
      const sender = await opened(Array<string>(5).fill(known));
      for (const piece of pieces) {
        sender.socket.write(piece);
        await sleep(20);
      }
      const victim = await opened();
      await sleep(20);
      const { length } = gateway.calls;
      const publish = post.replace("SocialTimelines", "PublishStatus");
      for (const piece of [get, publish, publish.slice(0, -5)]) {
        sender.socket.write(piece);
        await sleep(20);
      }
      victim.socket.write(get.replace("ann", "bea"));
      await eventually("the reply", async () => victim.text().includes("of bea"));
      await sleep(50);
      assert.equal(victim.text().match(/HTTP\/1.1 \d+|of \w+/g), ["HTTP/1.1 200", "of bea"]);
      assert.equal(
        gateway.calls.slice(length).map(({ request }) => request["screenName"]),
        ["bea"],
      );
      for (const { socket } of [sender, victim]) socket.destroy();
    });
  }
}

Ended.run();
