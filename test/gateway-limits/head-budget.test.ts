import { once } from "node:events";
import { createServer, type Server } from "node:http";
import net, { type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { maxBytesOfHeads, parserHeaderBytes } from "../../gateway/http/limits/limits.ts";
import { watchConnections } from "../../gateway/http/sockets/watch-connections.ts";
import { eventually } from "../support/eventually.ts";
import { listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import { unfinishedHead as longHead } from "./attacks.ts";

const HeadBudget = suite("gateway head budget");

const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

let server: Server;
let port = 0;
let stop: () => void;
const accepted = new Set<Socket>();
const clients: Socket[] = [];

HeadBudget.before.each(async () => {
  // Nothing but the budget ends a connection.
  server = createServer({ maxHeaderSize: parserHeaderBytes, keepAliveTimeout: 0 }, (request, response) => {
    if (request.url === "/begun") return void response.write("begun");
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

HeadBudget("ends unfinished heads that come at once on open connections before they take much more", async () => {
  const sockets = await connectAnswered(400);
  // The timer has seen them.
  await sleep(250);
  let readAtFirstEnd: number | undefined;
  for (const socket of accepted) {
    const end = socket.end.bind(socket) as () => Socket;
    socket.end = () => {
      readAtFirstEnd ??= bytesRead();
      return end();
    };
  }
  for (const socket of sockets) socket.write(longHead);
  await eventually("a connection is ended", async () => readAtFirstEnd !== undefined);
  assert.ok((readAtFirstEnd ?? 0) <= maxBytesOfHeads + 10 * 2 ** 20, `${readAtFirstEnd} bytes were read by then`);
});

HeadBudget("counts heads that come in one piece with a request, one connection after the other", async () => {
  const bytes = get + longHead;
  const sockets = await connectAll(60);
  const isOneEnded = () => !sockets.every(isOpen);
  for (const [index, socket] of sockets.entries()) {
    socket.write(bytes);
    while (bytesRead() < (index + 1) * bytes.length && !isOneEnded()) await new Promise(setImmediate);
  }
  await eventually("a connection is ended", async () => isOneEnded());
});

HeadBudget("does not count bodies that ended between two checks", async () => {
  const sockets = await connectAnswered(40);
  const half = "x".repeat(500_000);
  for (const socket of sockets) socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${half}`);
  await sleep(400);
  await Promise.all(sockets.map((socket) => answer(socket, half)));
  await sleep(400);
  assert.ok(sockets.every(isOpen));
});

HeadBudget("ends the longest unfinished heads first, until all together hold half of the budget", async () => {
  const half = maxBytesOfHeads / 2;
  const shortHead = longHead.slice(0, 15_000);
  const shortOnes = await sendAll(Math.floor(half / shortHead.length), shortHead);
  const longOnes = await sendAll(Math.floor(half / longHead.length), longHead);
  const all = shortOnes.length * shortHead.length + longOnes.length * longHead.length;
  await eventually("all are read", async () => bytesRead() === all);
  longOnes.push(...(await sendAll(1, longHead)));
  await eventually("the end of the long ones", async () => longOnes.every(({ closed }) => closed));
  assert.ok(shortOnes.every(isOpen));
});

HeadBudget("writes no 503 into a reply that is under way", async () => {
  const received = new Map<Socket, string>();
  for (const socket of await connectAll(200)) {
    received.set(socket, "");
    socket.on("data", (bytes: Buffer) => received.set(socket, `${received.get(socket)}${bytes}`));
    socket.write(`${get.replace("/", "/begun")}${longHead}`);
  }
  const ended = () => [...received].filter(([{ closed }]) => closed);
  await eventually("a connection is ended", async () => ended().length > 0);
  for (const [, text] of ended()) assert.not.match(text, "503");
});

function isOpen({ readyState }: Socket): boolean {
  return readyState === "open";
}

function bytesRead(): number {
  return [...accepted].reduce((sum, socket) => sum + socket.bytesRead, 0);
}

async function connectAll(count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = net.connect(port, "127.0.0.1");
      socket.on("error", () => {});
      clients.push(socket);
      await once(socket, "connect");
      return socket.resume();
    }),
  );
}

/** Connections on which these bytes are sent. */
async function sendAll(count: number, bytes: string): Promise<Socket[]> {
  const sockets = await connectAll(count);
  for (const socket of sockets) socket.write(bytes);
  return sockets;
}

/** Connections on which a request was answered. */
async function connectAnswered(count: number): Promise<Socket[]> {
  const sockets = await connectAll(count);
  await Promise.all(sockets.map((socket) => answer(socket, get)));
  return sockets;
}

async function answer(socket: Socket, bytes: string): Promise<void> {
  socket.write(bytes);
  await once(socket, "data");
}

HeadBudget.run();
