import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

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
