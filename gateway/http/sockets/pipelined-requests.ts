import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { interceptRequests } from "../requests/intercept-requests.ts";

/**
 * Serves the requests of a connection one after the other: each waits until the reply to the one before is sent. Node would serve all
 * that it reads at once, so that a GET could miss the write of a POST before it (RFC 9112 §9.3.2), and a few packets of short requests
 * block the event loop for seconds. To be called after the server's request listener was added.
 * @param lastRequests where requests are noted before they come here
 */
export function serveInOrder(server: Server, lastRequests: Pick<LastRequests, "get">): void {
  /** How many requests of a connection wait. */
  const waiting = new WeakMap<Socket, number>();

  interceptRequests(server, (serve) => (request, response) => {
    const { socket } = request;
    const earlier = lastRequests.get(socket)?.earlier;
    if (earlier === undefined) return serve(request, response);
    const others = waiting.get(socket) ?? 0;
    if (others === maxWaiting) return void socket.destroy();
    waiting.set(socket, others + 1);
    // Not emitted for a response that waits behind another one when their connection ends: then this request is never served.
    earlier.once("close", () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      // Nor is it served if the connection has ended.
      if (socket.writable) serve(request, response);
    });
  });
}

/** Requests of a connection that may wait: each takes some KB. A client with more is disconnected. */
const maxWaiting = 256;

/** The last request of each connection, and its response. */
export type LastRequests = WeakMap<Socket, LastRequest>;

export interface LastRequest {
  /** How many requests of the connection were noted. */
  count: number;
  /** Undefined after the answer, if the request was large. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** The response before it, where that was not sent yet when the request came. */
  earlier: ServerResponse | undefined;
}
