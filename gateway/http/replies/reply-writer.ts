import type { IncomingMessage, ServerResponse } from "node:http";
import { AssembledBytes, type ReplyBytes, wholeBytes } from "../../rendering/assembled-bytes.ts";
import { type ClosingReply, type OnceClosed, onceClosed } from "../requests/once-closed.ts";
import { type BodyWriter, sendAssembled } from "./assembled-replies.ts";
import { headText } from "./head-text.ts";

/** Sends one reply past the router. */
export interface ReplyWriter extends ClosingReply {
  /**
   * @param head names and values; the same array for the same fields
   * @param start ASCII before the body
   */
  send(status: number, head: string[], start: string, body: ReplyBytes): void;
}

/** The reply to a request that Node has read. */
export class NodeReplyWriter implements ReplyWriter, BodyWriter {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #keepAliveMs: number;

  /** @param keepAliveMs of the server */
  constructor(request: IncomingMessage, response: ServerResponse, keepAliveMs: number) {
    this.#request = request;
    this.#response = response;
    this.#keepAliveMs = keepAliveMs;
  }

  send(status: number, head: string[], start: string, body: ReplyBytes): void {
    const response: WithHead = this.#response;
    const { socket } = response;
    // Node closes some other connections, and its head says so.
    const isUsual = response.shouldKeepAlive && !response.maxRequestsOnConnectionReached;
    if (isUsual && this.#request.httpVersion === "1.1" && response._header === null) {
      response.statusCode = status;
      response._header = headText(status, head, this.#keepAliveMs);
    } else response.writeHead(status, head);
    if (this.#request.method === "HEAD") response.end();
    // Node stores the bytes while the response waits behind another one.
    else if (body instanceof AssembledBytes && socket !== null) sendAssembled(start, body, socket, this);
    else if (start === "") response.end(wholeBytes(body));
    else {
      response.cork();
      response.write(start, "latin1");
      response.end(wholeBytes(body));
    }
  }

  write(bytes: Buffer): void {
    this.#response.end(bytes);
  }

  onceSent(action: () => void): void {
    onceClosed(this.#request, this.#response, action);
  }

  onceClosed(action: OnceClosed): void {
    const response = this.#response;
    onceClosed(this.#request, response, () => action(response.writableFinished, response.statusCode));
  }
}

/** Fields of Node: the text of the head, null before it is made, and whether the connection ends by a limit. */
type WithHead = ServerResponse & { _header?: string | null; maxRequestsOnConnectionReached?: boolean };
