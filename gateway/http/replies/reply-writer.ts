import type { IncomingMessage, ServerResponse } from "node:http";
import { type ClosingReply, type OnceClosed, onceClosed } from "../requests/once-closed.ts";
import { headText } from "./head-text.ts";

/** Sends one reply past the router. */
export interface ReplyWriter extends ClosingReply {
  /**
   * @param head names and values; the same array for the same fields
   * @param pieces of the body, none of which is copied; texts are ASCII
   */
  send(status: number, head: string[], pieces: readonly (string | Buffer)[]): void;
}

/** The reply to a request that Node has read. */
export class NodeReplyWriter implements ReplyWriter {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #keepAliveMs: number;

  /** @param keepAliveMs of the server */
  constructor(request: IncomingMessage, response: ServerResponse, keepAliveMs: number) {
    this.#request = request;
    this.#response = response;
    this.#keepAliveMs = keepAliveMs;
  }

  send(status: number, head: string[], pieces: readonly (string | Buffer)[]): void {
    const response: WithHead = this.#response;
    // Node closes some other connections, and its head says so.
    const isUsual = response.shouldKeepAlive && !response.maxRequestsOnConnectionReached;
    if (isUsual && this.#request.httpVersion === "1.1" && response._header === null) {
      response.statusCode = status;
      response._header = headText(status, head, this.#keepAliveMs);
    } else response.writeHead(status, head);
    if (pieces.length > 1) response.cork();
    // Node sends a text in one piece with the head.
    for (const piece of pieces.slice(0, -1)) response.write(piece, "latin1");
    response.end(pieces.at(-1), "latin1");
  }

  onceClosed(action: OnceClosed): void {
    const response = this.#response;
    onceClosed(this.#request, response, () => action(response.writableFinished, response.statusCode));
  }
}

/** Fields of Node: the text of the head, null before it is made, and whether the connection ends by a limit. */
type WithHead = ServerResponse & { _header?: string | null; maxRequestsOnConnectionReached?: boolean };
