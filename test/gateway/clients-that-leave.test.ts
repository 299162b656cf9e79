import { once } from "node:events";
import net from "node:net";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Leaving = suite("gateway clients that leave");

let gateway: FakeGateway;
Leaving.before(async () => {
  gateway = await startFakeGateway();
});
Leaving.before.each(() => {
  gateway.logged.length = 0;
});
Leaving.after(() => gateway.stop());

const lines = () => gateway.logged.filter(({ msg }) => msg === "request");
const failures = () => gateway.logged.filter(({ level }) => (level as number) > 30);

/** A client that has sent this request and does not read. */
async function ask(path: string, body: string, length = body.length): Promise<net.Socket> {
  const socket = net.connect(gateway.port, "127.0.0.1").pause();
  await once(socket, "connect");
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`);
  return socket;
}

/** Timelines of 20 MB together, which is more than the buffers of a connection. */
const batch = JSON.stringify(Array.from({ length: 20 }, (_, item) => ({ screenName: `ann${item}` })));
const longTimeline = { results: [{ id: 1n, text: "x".repeat(1_000_000) }], version: "s1.0" };

Leaving("during a batch's reply are logged as aborted, without an error", async () => {
  gateway.answers.socialTimelines = () => longTimeline;
  const socket = await ask("/json/reply/SocialTimelines[]", batch);
  await once(socket, "readable");
  socket.destroy();
  await eventually("the request's line", async () => lines().length === 1);
  assert.equal(
    lines().map(({ status, aborted }) => [status, aborted]),
    [[200, true]],
  );
  assert.equal(failures(), []);
});

Leaving("before a batch's reply are logged as aborted, without an error", async () => {
  let answer: (() => void) | undefined;
  gateway.answers.socialTimelines = ({ screenName }) =>
    screenName === "ann19"
      ? new Promise((resolve) => {
          answer = () => resolve(longTimeline);
        })
      : longTimeline;
  const socket = await ask("/json/reply/SocialTimelines[]", batch);
  await eventually("the call of the last item", async () => answer !== undefined);
  socket.destroy();
  await eventually("the request's line", async () => lines().length === 1);
  answer?.();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(
    lines().map(({ aborted }) => aborted),
    [true],
  );
  assert.equal(failures(), []);
});

Leaving("during their own request are logged without an error", async () => {
  const socket = await ask("/json/reply/SocialTimelines", '{"screenName":', 100);
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  await eventually("the request's line", async () => lines().length === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(failures(), []);
});

Leaving.run();
