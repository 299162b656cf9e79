import http, { type ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { listen, stopListening } from "../support/listen.ts";

/** Every nth reply of a bad server is wrong. */
const faultInterval = 300;

/** Connections that may wait to be accepted: the fuzzer opens up to 800 at once, and a refused one is repeated after seconds. */
const backlog = 2_048;

/** Sends a wrong reply. */
export type ReplyFault = (response: ServerResponse) => void;

export interface BadServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts a server that replies as the contract says, except for every `faultInterval`th reply. */
export async function startBadServer(fault: ReplyFault): Promise<BadServer> {
  let requests = 0;
  let isDue = false;
  const answer: http.RequestListener = (request, response) => {
    request.resume();
    requests++;
    isDue ||= requests % faultInterval === 0;
    const callback = /[?&]callback=(f|\$|jQuery\w+)(?:&|$)/i.exec(request.url as string)?.[1];
    // A fault is no script, which would be a fault of its own.
    if (isDue && callback === undefined) {
      isDue = false;
      fault(response);
      return;
    }
    const type = callback === undefined ? "application/json" : "text/javascript; charset=utf-8";
    response.writeHead(200, { "content-type": type, "x-content-type-options": "nosniff", "cache-control": "no-store" });
    response.end(callback === undefined ? '{"results":[]}' : `${callback}({"results":[]})`);
  };
  const server = http.createServer({ maxHeaderSize: 65_536 }, answer).on("checkExpectation", answer);
  const port = await listen(server, backlog);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => stopListening(server),
  };
}

/** Starts a server that sends a right reply on each connection and closes it; every `faultInterval`th one gets `bytes` instead. */
export async function startBadSocketServer(bytes: string | undefined): Promise<BadServer> {
  const reply = '{"results":[]}';
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\ncontent-length: ${reply.length}`;
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    socket.resume();
    connections++;
    const bad = connections % faultInterval === 0;
    if (bad && bytes === undefined) return;
    socket.end(bad && bytes !== undefined ? bytes : `${head}\r\nconnection: close\r\n\r\n${reply}`);
  });
  const port = await listen(server, backlog);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
