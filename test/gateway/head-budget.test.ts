import { once } from "node:events";
import { createServer, type Server } from "node:http";
import net, { type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { maxBytesOfHeads, parserHeaderBytes } from "../../gateway/http/limits/limits.ts";
import { watchConnections } from "../../gateway/http/sockets/watch-connections.ts";
import { eventually } from "../support/eventually.ts";
import { listen, stopListening } from "../support/listen.ts";

const HeadBudget = suite("gateway head budget");

const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
/** 200 KB without an end. */
const longHead = `GET / HTTP/1.1\r\nHost: x\r\n${`X: ${"y".repeat(1_000)}\r\n`.repeat(200)}`;

let server: Server;
let port = 0;
let stop: () => void;
const accepted = new Set<Socket>();
const clients: Socket[] = [];

HeadBudget.before.each(async () => {
  server = createServer({ maxHeaderSize: parserHeaderBytes }, (request, response) => {
    request.resume().once("end", () => response.end("ok"));
  });
  ({ stop } = watchConnections(server, 0, new WeakMap()));
  server.on("connection", (socket: Socket) => accepted.add(socket));
  port = await listen(server);
});

HeadBudget.after.each(async () => {
  stop();
  for (const socket of clients.splice(0)) socket.destroy();
  accepted.clear();
  await stopListening(server);
});

HeadBudget(
  "ends unfinished heads that arrive at once on open connections before they take much more memory",
  async () => {
    const sockets = await connectAnswered(400);
    // The timer has seen them.
    await sleep(250);
    let readAtFirstEnd: number | undefined;
    for (const socket of accepted) {
      const end = socket.end.bind(socket) as () => Socket;
      socket.end = () => {
        readAtFirstEnd ??= [...accepted].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
        return end();
      };
    }
    for (const socket of sockets) socket.write(longHead);
    await eventually("a connection is ended", async () => readAtFirstEnd !== undefined);
    const mebibytes = Math.round((readAtFirstEnd ?? 0) / 2 ** 20);
    assert.ok(mebibytes <= maxBytesOfHeads / 2 ** 20 + 10, `${mebibytes} MiB were read by then`);
  },
);

HeadBudget("counts heads that come in one piece with the request before them", async () => {
  const sockets = await connectAnswered(200);
  for (const socket of sockets) socket.write(get + longHead);
  await eventually("a connection is ended", async () => sockets.some(({ readyState }) => readyState !== "open"));
});

HeadBudget("does not count bodies that ended between two checks", async () => {
  const sockets = await connectAnswered(40);
  const half = "x".repeat(500_000);
  for (const socket of sockets) socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${half}`);
  await sleep(400);
  await Promise.all(sockets.map((socket) => answer(socket, half)));
  await sleep(400);
  assert.is(sockets.filter(({ readyState }) => readyState !== "open").length, 0);
});

/** Connections on which a request was answered. */
async function connectAnswered(count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = net.connect(port, "127.0.0.1");
      socket.on("error", () => {});
      clients.push(socket);
      await answer(socket, get);
      return socket.resume();
    }),
  );
}

async function answer(socket: Socket, bytes: string): Promise<void> {
  socket.write(bytes);
  await once(socket, "data");
}

HeadBudget.run();
