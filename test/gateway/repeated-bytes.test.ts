import net from "node:net";
import { setImmediate } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { FastRequest } from "../../gateway/http/fast-path/fast-request.ts";
import { maxBytesAssembled, maxBytesOfHeads } from "../../gateway/http/limits/limits.ts";
import { holdAssembled, mayAssemble } from "../../gateway/http/replies/assembled-replies.ts";
import { JsonList } from "../../gateway/rendering/assembled-bytes.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { get, type RepeatedServers, sendText, startRepeatedServers } from "./repeated-servers.ts";

const Repeated = suite("requests whose bytes repeat");

let servers: RepeatedServers;

Repeated.before(async () => {
  servers = await startRepeatedServers();
});
Repeated.before.each(() => servers.reset());
Repeated.after(() => servers.stop());

/** Sends four equal requests, of which the last one is answered by `later`. The text is all that was received from then on. */
async function connected(
  target: string,
  later: RepeatedServers["answer"],
): Promise<{ socket: net.Socket; text(): string }> {
  const socket = net.connect({ port: servers.ours, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => {});
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  for (let count = 1; count <= 3; count++) {
    socket.write(get(target));
    await eventually("a reply", async () => received.split(`GET ${target} a`).length > count);
    // Node emits the end of a response a turn later.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  received = "";
  servers.answer = later;
  socket.write(get(target));
  await eventually("the request", async () => servers.known.length > 0);
  return { socket, text: () => received };
}

Repeated("make the next ones wait for their reply", async () => {
  let send = () => {};
  const { socket, text } = await connected("/slow", (request, own) => (send = () => sendText(request, own)));
  servers.answer = sendText;
  socket.write(get("/next"));
  socket.write(get("/slow"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.is(text(), "");
  send();
  await eventually("the replies", async () => text().split("GET").length > 3);
  assert.equal(text().match(/GET \/\w+/g), ["GET /slow", "GET /next", "GET /slow"]);
  socket.destroy();
});

Repeated("report that the client has disconnected", async () => {
  const ends: unknown[] = [];
  let send = () => {};
  let route = () => true;
  const { socket } = await connected("/left", (request, text) => {
    request.onceClosed((...end) => ends.push(end));
    send = () => sendText(request, text);
    route = () => request.route({ failure: "too late" });
  });
  socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.not(route());
  assert.equal(servers.failures, []);
  send();
});

Repeated("report whether the reply was sent", async () => {
  for (const leaves of [false, true]) {
    servers.known = [];
    const ends: unknown[] = [];
    let send = () => {};
    const { socket } = await connected(`/ends${leaves}`, (request, text) => {
      request.onceClosed((...end) => ends.push(end));
      send = () => sendText(request, text);
    });
    if (leaves) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    send();
    await eventually("the end", async () => ends.length > 0);
    assert.equal(ends, [[!leaves, 200]]);
    socket.destroy();
  }
});

Repeated("are read by Node when their request is left to the router, with its outcome", async () => {
  const { socket, text } = await connected(
    "/routed",
    (request) => void setTimeout(() => request.route({ failure: "why" }), 10),
  );
  socket.write(get("/after"));
  await eventually("the replies", async () => text().split("GET").length > 2);
  assert.equal(text().match(/GET \/\w+/g), ["GET /routed", "GET /after"]);
  assert.equal(servers.failures, ["why"]);
  socket.destroy();
});

Repeated("are read by Node while the client does not read the replies", async () => {
  const size = 8 * 1024 * 1024;
  const large = (request: FastRequest) => request.send(200, ["content-length", `${size}`], "", Buffer.alloc(size));
  const { socket } = await connected("/large", large);
  socket.pause();
  for (let round = 0; round < 5; round++) {
    socket.write(get("/large"));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(servers.known.length < 4, `${servers.known.length} replies of 8 MB are held`);
  socket.destroy();
});

Repeated("count short bodies as waiting only until the client has taken them", async () => {
  const body = new JsonList([Buffer.alloc(12_000, "a")]);
  const short = (request: FastRequest) => request.send(200, ["content-length", `${body.length}`], "", body);
  const { socket } = await connected("/short", short);
  // One body that waits is now too many.
  const release = holdAssembled(maxBytesAssembled - 1);
  try {
    socket.pause();
    while (mayAssemble()) {
      const before = servers.known.length;
      socket.write(get("/short"));
      for (let turns = 0; servers.known.length === before; turns++) {
        assert.ok(turns < 100_000, `request ${before} did not come`);
        await setImmediate();
      }
    }
    socket.resume();
    await eventually("the client has read", async () => mayAssemble());
    assert.not(socket.readableEnded, "it was counted until the connection ended");
  } finally {
    release();
    socket.destroy();
  }
});

Repeated("leave an idle connection open as long as Node does", async () => {
  const { socket } = await connected("/idle", sendText);
  const isOpen = async () => !socket.readableEnded;
  for (let round = 0; round < 8; round++) {
    socket.write(get("/idle"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(await isOpen());
  }
  assert.ok(servers.known.length > 5);
  await eventually("the end", async () => socket.readableEnded);
  socket.destroy();
});

Repeated("do not count as an unfinished head", async () => {
  const long = `GET /long HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(1_900)}\r\n\r\n`;
  const count = (1.2 * maxBytesOfHeads) / long.length;
  const socket = net.connect(servers.ours, "127.0.0.1");
  let received = 0;
  const ended = new Promise<void>((resolve) => {
    socket.on("data", () => {
      if (++received > count) return resolve();
      socket.write(long);
    });
    socket.on("close", () => resolve());
    socket.write(long);
  });
  await ended;
  // The timer has seen them.
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.is(socket.readyState, "open");
  assert.ok(received > count && servers.known.length > 0.9 * count, `${received}, ${servers.known.length}`);
  socket.destroy();
});

Repeated("are idle when none is being answered", async () => {
  let send = () => {};
  const { socket } = await connected("/pending", (request, text) => (send = () => sendText(request, text)));
  let isIdle = false;
  const idle = servers.repeated.whenIdle().then(() => (isIdle = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.not(isIdle);
  send();
  await idle;
  socket.destroy();
});

Repeated.run();
