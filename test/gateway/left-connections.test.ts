import { once } from "node:events";
import { createServer } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { onceClosed } from "../../gateway/http/requests/once-closed.ts";
import { addressHeader } from "../../services/platform/connect/identity.ts";
import { eventually } from "../support/eventually.ts";
import { listen, stopListening } from "../support/listen.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Left = suite("gateway connections that end early");
const json = { "content-type": "application/json" };
let gateway: FakeGateway;

Left.before.each(async () => {
  gateway = await startFakeGateway();
});
Left.after.each(() => gateway.stop());

const never = () => new Promise<never>(() => {});

/** The bytes of a POST. */
function postOf(path: string, body: string, header = ""): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${header}`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

Left("call the listener once for each request, also behind another one and after its end", async () => {
  const closed: string[] = [];
  let received = 0;
  const server = createServer((request, response) => {
    received++;
    const note = (url = request.url ?? "") => onceClosed(request, response, () => closed.push(url));
    note();
    if (request.url !== "/answered") return;
    response.once("close", () => note("/over")).end();
  });
  const socket = net.connect(await listen(server), "127.0.0.1");
  socket.write("GET /answered HTTP/1.1\r\nHost: a\r\n\r\n");
  await eventually("the first reply", async () => closed.length === 2);
  socket.write("GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n");
  await eventually("both requests", async () => received === 3);
  socket.resetAndDestroy();
  await eventually("both", async () => closed.length >= 4);
  assert.equal(closed.toSorted(), ["/answered", "/first", "/over", "/second"]);
  await stopListening(server);
});

Left("return the memory of requests that waited behind another one", async () => {
  gateway.answers.socialUsers = never;
  const long = "y".repeat(55_000);
  for (let count = 1; count <= 40; count++) {
    const socket = net.connect(gateway.port, "127.0.0.1").on("error", () => {});
    socket.write(`GET /social/ann HTTP/1.1\r\nHost: a\r\n\r\n`);
    socket.write(`GET /social/ann HTTP/1.1\r\nHost: a\r\nX: ${long}\r\n\r\n`.repeat(20));
    await eventually("the first request", async () => gateway.calls.length === count);
    await eventually("the others to be read", async () => socket.writableLength === 0);
    socket.resetAndDestroy();
    await eventually("its end", async () => socket.closed);
  }
  const get = () => gateway.send({ path: "/social/ann/timelines", headers: { x: long } });
  await eventually("a long head to be served", async () => (await get()).status === 200, 5);
});

Left("count a write for the address of a client that has left", async () => {
  let find = (_found: object) => {};
  const found = new Promise<object>((resolve) => (find = resolve));
  let isAsked = false;
  gateway.answers.getSession = () => {
    isAsked = true;
    return found as never;
  };
  const socket = net.connect(gateway.port, "127.0.0.1").on("error", () => {});
  const body = JSON.stringify([{ userName: "ann", password: "p" }]);
  socket.write(postOf("/json/oneway/Registration[]", body, "Authorization: Bearer x\r\n"));
  await eventually("the search for the session", async () => isAsked);
  socket.resetAndDestroy();
  await once(socket, "close");
  await sleep(50);
  find({});
  await eventually("the write", async () => gateway.calls.length > 0);
  assert.equal(
    gateway.calls.map(({ header }) => header.get(addressHeader)),
    ["127.0.0.1"],
  );
});

Left("are answered while the batches of another service hang", async () => {
  let end = (_reply: object) => {};
  const ended = new Promise<object>((resolve) => (end = resolve));
  gateway.answers.registration = () => ended;
  let answered = 0;
  const hanging = Array.from({ length: 20 }, async () => {
    const body = JSON.stringify([{ userName: "ann", password: "p" }]);
    await gateway.send({ method: "POST", path: "/json/reply/Registration[]", headers: json, body }).catch(() => {});
    answered++;
  });
  await eventually("the hanging batches", async () => gateway.calls.length >= 16);
  const body = JSON.stringify([{ screenNames: "ann" }]);
  const { status } = await gateway.send({ method: "POST", path: "/json/reply/SocialUsers[]", headers: json, body });
  assert.equal([status, answered], [200, 0]);
  end({});
  await Promise.all(hanging);
});

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

Left("during a batch's reply are logged as aborted, without an error", async () => {
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

Left("before a batch's reply are logged as aborted, without an error", async () => {
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
  await sleep(200);
  assert.equal(valuesOf(lines(), "aborted"), [true]);
  assert.equal(failures(), []);
});

Left("during their own request are logged without an error", async () => {
  const socket = await ask("/json/reply/SocialTimelines", '{"screenName":', 100);
  await sleep(20);
  socket.destroy();
  await eventually("the request's line", async () => lines().length === 1);
  await sleep(50);
  assert.equal(failures(), []);
});

Left.run();
