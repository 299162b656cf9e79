import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Exchanges } from "./socket-errors.ts";

/**
 * Has a request that comes before the reply to an earlier one of its connection wait until that is sent, unless both have safe methods
 * (RFC 9112 §9.3.2). Node would serve both at once. To be called after the server's request listener was added.
 * @param exchanges where requests are noted before they come here
 */
export function serveInOrder(server: Server, exchanges: Pick<Exchanges, "get">): void {
  const [serve] = server.listeners("request") as [(request: IncomingMessage, response: ServerResponse) => void];
  /** How many requests of a connection wait. */
  const waiting = new WeakMap<Socket, number>();

  function serveAfter(earlier: ServerResponse, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const others = waiting.get(socket) ?? 0;
    if (others === maxWaiting) return void socket.destroy();
    waiting.set(socket, others + 1);
    // Not emitted for a response that waits behind another one when their connection ends: then this request is never served.
    earlier.once("close", () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      // Nor where the connection has ended.
      if (socket.writable) serve.call(server, request, response);
    });
  }

  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const earlier = exchanges.get(request.socket)?.earlier;
    if (earlier === undefined) return serve.call(server, request, response);
    const mayOverlap = isSafe(request) && isSafe(earlier.req) && !waiting.get(request.socket);
    if (mayOverlap) serve.call(server, request, response);
    else serveAfter(earlier, request, response);
  });
}

function isSafe({ method = "" }: IncomingMessage): boolean {
  return safeMethods.has(method);
}

/** RFC 9110 §9.2.1. */
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Requests of a connection that may wait: each takes some KB. A client with more is disconnected. */
const maxWaiting = 100;
