import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../services/platform/log.ts";

/**
 * Logs a request in one line when it is over, answered or left. Of what the client sent only the verb and the operation
 * are in it: paths, queries, bodies and cookies can hold passwords.
 */
export function logExchange(request: FastifyRequest, reply: FastifyReply): void {
  const start = performance.now();
  reply.raw.once("close", () => {
    const { operation, errorCode, callback, method } = request;
    request.log.info(
      {
        operation,
        method,
        status: reply.raw.statusCode,
        errorCode,
        jsonp: callback === undefined ? undefined : true,
        // The client left before the reply began.
        aborted: reply.raw.headersSent ? undefined : true,
        ms: since(start),
      },
      "request",
    );
  });
}

/** The same line for a request that took the shortcut; `start` is when it came in, by performance.now(). */
export function logShortcut(
  log: Log,
  operation: string,
  method: string,
  response: ServerResponse,
  start: number,
): void {
  response.once("close", () => {
    log.info({ operation, method, status: response.statusCode, ms: since(start) }, "request");
  });
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}
