import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { interceptRequests } from "../requests/intercept-requests.ts";
import type { Exchanges } from "./socket-errors.ts";

/**
 * Has a request that comes before the reply to an earlier one of its connection wait until that is sent, unless both have safe methods
 * (RFC 9112 §9.3.2). Node would serve both at once. To be called after the server's request listener was added.
 * @param exchanges where requests are noted before they come here
 */
export function serveInOrder(server: Server, exchanges: Pick<Exchanges, "get">): void {
  /** How many requests of a connection wait. */
  const waiting = new WeakMap<Socket, number>();

  interceptRequests(server, (serve) => (request, response) => {
    const { socket } = request;
    const earlier = exchanges.get(socket)?.earlier;
    if (earlier === undefined) return serve(request, response);
    const others = waiting.get(socket) ?? 0;
    if (others === 0 && isSafe(request) && isSafe(earlier.req)) return serve(request, response);
    if (others === maxWaiting) return void socket.destroy();
    waiting.set(socket, others + 1);
    // Not emitted for a response that waits behind another one when their connection ends: then this request is never served.
    earlier.once("close", () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      // Nor where the connection has ended.
      if (socket.writable) serve(request, response);
    });
  });
}

function isSafe({ method = "" }: IncomingMessage): boolean {
  return safeMethods.has(method);
}

/** RFC 9110 §9.2.1. */
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Requests of a connection that may wait: each takes some KB. A client with more is disconnected. */
const maxWaiting = 100;
