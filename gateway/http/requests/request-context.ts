import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deadline } from "../limits/deadline.ts";

declare module "fastify" {
  interface FastifyRequest {
    context: RequestContext;
  }
}

/** State of one request that its steps set and read. */
export interface RequestContext {
  /** The function that the reply is wrapped into, when this is a JSONP call. */
  callback?: string | undefined;
  /** The client's address; read when the request arrives, since a closed connection has none. */
  address: string | undefined;
  /** The name of the operation that runs, for the log. */
  operation?: string;
  /** The errorCode of the reply, for the log: under JSONP the status is always 200. */
  errorCode?: string;
  /** The status of the error that was sent: under JSONP the reply has 200. */
  errorStatus?: number;
  /** Whether the reply is a stream of events, which was counted when it began and which clients leave as they like. */
  isStream?: boolean;
  /** Whether the reply shows what a signed-in viewer may see. */
  hasViewer: boolean;
  /** Set when the operation runs; the same for all items of a batch. */
  deadline?: Deadline;
}

/** Prepares an app for contexts; each request begins its own with `beginContext`. */
export function addRequestContext(app: FastifyInstance): void {
  app.decorateRequest("context");
}

/** To be called before anything else is done with a request. */
export function beginContext(request: FastifyRequest): void {
  request.context = { hasViewer: false, address: request.ip };
}
