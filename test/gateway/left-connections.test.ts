import { once } from "node:events";
import { createServer } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { onceClosed } from "../../gateway/http/requests/once-closed.ts";
import { addressHeader } from "../../services/platform/connect/identity.ts";
import { eventually } from "../support/eventually.ts";
import { listen, stopListening } from "../support/listen.ts";
import { openWork } from "../support/open-work.ts";
import { suite } from "../support/suite.ts";
import { useNewFakeGateways } from "./fake-gateway.ts";

const Left = suite("gateway connections that end early");
const registrations = JSON.stringify([{ userName: "ann", password: "p" }]);
const gateway = useNewFakeGateways(Left);

/** A client that has sent this request and does not read. */
async function ask(path: string, body: string, header = "", length = body.length): Promise<net.Socket> {
  const socket = net
    .connect(gateway.port, "127.0.0.1")
    .on("error", () => {})
    .pause();
  await once(socket, "connect");
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${length}\r\n\r\n${body}`);
  return socket;
}

Left("are noted also where the reply or the connection had ended before", async () => {
  const noted: string[] = [];
  const server = createServer((request, response) => {
    const note = () => onceClosed(request, response, () => noted.push(request.url ?? ""));
    if (request.url === "/answered") response.once("close", note).end();
    else request.socket.once("close", () => setImmediate(note)).destroy();
  });
  const socket = net.connect(await listen(server), "127.0.0.1").on("error", () => {});
  for (const path of ["/answered", "/cut"]) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await eventually(path, async () => noted.includes(path));
  }
  await stopListening(server);
});

Left("return the memory of requests that waited behind another one", async () => {
  gateway.answers.socialUsers = () => new Promise(() => {});
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
  const asked: string[] = [];
  const { work, end } = openWork(asked);
  gateway.answers.getSession = () => work().then(() => ({}));
  const socket = await ask("/json/oneway/Registration[]", registrations, "Authorization: Bearer x\r\n");
  await eventually("the search for the session", async () => asked.length > 0);
  socket.resetAndDestroy();
  await once(socket, "close");
  await sleep(50);
  end();
  await eventually("the write", async () => gateway.calls.length > 0);
  assert.is(gateway.calls[0]?.header.get(addressHeader), "127.0.0.1");
});

Left("are answered while the batches of another service hang", async () => {
  const { work, end } = openWork();
  gateway.answers.registration = () => work().then(() => ({}));
  let answered = 0;
  const hanging = Array.from({ length: 20 }, async () => {
    await gateway.send({ method: "POST", path: "/json/reply/Registration[]", body: registrations }).catch(() => {});
    answered++;
  });
  await eventually("the hanging batches", async () => gateway.calls.length >= 16);
  const body = JSON.stringify([{ screenNames: "ann" }]);
  const { status } = await gateway.send({ method: "POST", path: "/json/reply/SocialUsers[]", body });
  assert.equal([status, answered], [200, 0]);
  end();
  await Promise.all(hanging);
});

const lines = () => gateway.logged.filter(({ msg }) => msg === "request");
const failures = () => gateway.logged.filter(({ level }) => (level as number) > 30);

/** Timelines of 20 MB together, which is more than the buffers of a connection. */
const batch = JSON.stringify(Array.from({ length: 20 }, (_, item) => ({ screenName: `ann${item}` })));
const longTimeline = { results: [{ id: 1n, text: "x".repeat(1_000_000) }], version: "s1.0" };

/** Closes a connection, and waits for the only line of its request, which is no error. */
async function isLoggedWhenLeft(socket: net.Socket, then = () => {}) {
  socket.destroy();
  await eventually("the request's line", async () => lines().length === 1);
  then();
  await sleep(200);
  assert.equal(failures(), []);
  return lines().map(({ status, aborted }) => [status, aborted]);
}

Left("during a batch's reply are logged as aborted, without an error", async () => {
  gateway.answers.socialTimelines = () => longTimeline;
  const socket = await ask("/json/reply/SocialTimelines[]", batch);
  await once(socket, "readable");
  assert.equal(await isLoggedWhenLeft(socket), [[200, true]]);
});

Left("before a batch's reply are logged as aborted, without an error", async () => {
  const asked: string[] = [];
  const { work, end } = openWork(asked);
  gateway.answers.socialTimelines = async ({ screenName }) => {
    if (screenName === "ann19") await work();
    return longTimeline;
  };
  const socket = await ask("/json/reply/SocialTimelines[]", batch);
  await eventually("the call of the last item", async () => asked.length > 0);
  const [line] = await isLoggedWhenLeft(socket, end);
  assert.is(line?.[1], true);
});

Left("during their own request are logged without an error", async () => {
  const socket = await ask("/json/reply/SocialTimelines", '{"screenName":', "", 100);
  await sleep(20);
  await isLoggedWhenLeft(socket);
});

Left.run();
