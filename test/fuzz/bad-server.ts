import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

/** One reply in this many of a bad server is wrong. */
const oneIn = 300;

/** Connections that may wait to be accepted: the fuzzer opens up to 800 at once, and one that is refused waits for seconds. */
const backlog = 2_048;

/** Makes a reply wrong. */
export type ReplyFault = (response: ServerResponse) => void;

export interface BadServer {
  url: string;
  stop(): Promise<void>;
}

/** A server that is right in all that the fuzzers judge, but for one reply in `oneIn`. */
export async function startBadServer(fault: ReplyFault): Promise<BadServer> {
  let requests = 0;
  const answer: http.RequestListener = (request, response) => {
    request.resume();
    requests++;
    if (requests % oneIn === 0) {
      fault(response);
      return;
    }
    const callback = /[?&]callback=(f|\$|jQuery\w+)(?:&|$)/i.exec(request.url as string)?.[1];
    const type = callback === undefined ? "application/json" : "text/javascript; charset=utf-8";
    response.writeHead(200, { "content-type": type, "x-content-type-options": "nosniff", "cache-control": "no-store" });
    response.end(callback === undefined ? '{"results":[]}' : `${callback}({"results":[]})`);
  };
  const server = http.createServer({ maxHeaderSize: 65_536 }, answer).on("checkExpectation", answer);
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1", backlog }, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A server of bytes: every connection gets a right reply and is closed, but for one in `oneIn`, which gets `bytes`. */
export async function startBadSocketServer(bytes: string | undefined): Promise<BadServer> {
  const right = '{"results":[]}';
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\ncontent-length: ${right.length}`;
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    socket.resume();
    connections++;
    const bad = connections % oneIn === 0;
    if (bad && bytes === undefined) return;
    socket.end(bad && bytes !== undefined ? bytes : `${head}\r\nconnection: close\r\n\r\n${right}`);
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1", backlog }, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
