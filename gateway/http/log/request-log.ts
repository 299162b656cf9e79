import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../../../services/platform/log.ts";
import { currentSpan } from "../../../services/platform/tracing/span.ts";
import { type ClosingReply, onceClosed } from "../requests/once-closed.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/**
 * Counts a request, and logs it in one line, when it is over, answered or abandoned. Of what the client sent the line has the verb and
 * the operation only: paths, queries, bodies and cookies can hold passwords.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply, requests: RequestMetrics): void {
  const start = performance.now();
  const trace = currentSpan()?.traceId;
  onceClosed(request.raw, reply.raw, () => {
    const { operation, errorCode, errorStatus, callback } = request.context;
    const { statusCode, writableFinished } = reply.raw;
    const ms = performance.now() - start;
    requests.of(operation).note(writableFinished ? (errorStatus ?? statusCode) : 0, ms);
    request.log.info(
      {
        operation,
        method: request.method,
        status: statusCode,
        errorCode,
        jsonp: callback === undefined ? undefined : true,
        // The client left before the reply was sent.
        aborted: writableFinished ? undefined : true,
        ms: rounded(ms),
        trace,
      },
      "request",
    );
  });
}

/** What the line of a request on the fast path says of it. */
export interface LoggedRequest {
  operation: string;
  /** The function that the reply is wrapped into, when it is a JSONP call. */
  callback: string | undefined;
  errorCode: string | undefined;
  method: string;
}

/**
 * The same line for a request that took the fast path, when it is over.
 * @param start when it came in, by performance.now()
 */
export function logFastPath(
  log: Log,
  { operation, method, errorCode, callback }: LoggedRequest,
  start: number,
  reply: ClosingReply,
): void {
  const jsonp = callback === undefined ? undefined : true;
  reply.onceClosed((isSent, status) => {
    const ms = rounded(performance.now() - start);
    log.info({ operation, method, status, errorCode, jsonp, aborted: isSent ? undefined : true, ms }, "request");
  });
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
