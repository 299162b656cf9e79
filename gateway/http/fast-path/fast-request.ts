import type { IncomingMessage, ServerResponse } from "node:http";
import type { Deadline } from "../limits/deadline.ts";
import { acceptedEncoding } from "../replies/encoding.ts";
import type { PageForm } from "../replies/page.ts";
import { NodeReplyWriter, type ReplyWriter } from "../replies/reply-writer.ts";
import type { WantedReply } from "../replies/send-page.ts";

/** What the fast path reads of a request. Equal bytes have equal facts. */
export interface RequestFacts extends WantedReply {
  /** By which `ServedTargets` finds it again. */
  key: string;
  /** The session id that it presents, "" for none. */
  sessionId: string;
  form: PageForm;
}

/** A request that the fast path may answer. */
export interface FastRequest extends ReplyWriter {
  /** undefined for one that Node has not read. */
  readonly message: IncomingMessage | undefined;
  /** Leaves the request to the router. Returns false where the client has disconnected before Node has read it. */
  route(outcome: Outcome): boolean;
}

/** How the fast path leaves a request to the router: with the error to answer with, or with the deadline of a request that has waited. */
export interface Outcome {
  failure?: unknown;
  deadline?: Deadline;
}

/** @param isScript for JSONP calls, which are anonymous */
export function factsOf(
  { method = "", headers }: IncomingMessage,
  key: string,
  sessionId: string,
  isScript: boolean,
): RequestFacts {
  const { origin, "if-none-match": ifNoneMatch } = headers;
  const form = isScript ? "script" : acceptedEncoding(headers["accept-encoding"]);
  return { key, method, origin, ifNoneMatch, sessionId, form };
}

/** A request that Node has read. */
export class ReadRequest extends NodeReplyWriter implements FastRequest {
  readonly message: IncomingMessage;
  readonly #route: (outcome: Outcome) => void;

  /** @param keepAliveMs of the server */
  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    keepAliveMs: number,
    route: (outcome: Outcome) => void,
  ) {
    super(message, response, keepAliveMs);
    this.message = message;
    this.#route = route;
  }

  route(outcome: Outcome): true {
    this.#route(outcome);
    return true;
  }
}
