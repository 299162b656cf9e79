import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../../../services/platform/log.ts";
import { currentSpan } from "../../../services/platform/tracing/span.ts";
import { onceClosed } from "../requests/once-closed.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/**
 * Counts a request and logs it in one line when it was answered or abandoned. Of what the client sent the line has only the verb and
 * the operation: paths, queries, bodies and cookies can have passwords.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply, requests: RequestMetrics): void {
  const start = performance.now();
  const trace = currentSpan()?.traceId;
  onceClosed(request.raw, reply.raw, () => {
    const { method, context } = request;
    const { operation, errorCode, errorStatus, callback, isStream = false } = context;
    const { statusCode, writableFinished } = reply.raw;
    const ms = performance.now() - start;
    if (!isStream) requests.of(operation).note(writableFinished ? (errorStatus ?? statusCode) : 0, ms);
    const logged = { operation, method, errorCode, callback, trace };
    request.log.info(lineOf(logged, writableFinished || isStream, statusCode, ms), "request");
  });
}

/** The fields of a request's log line. */
export interface LoggedRequest {
  /** The id of its trace, where it is traced. */
  trace: string | undefined;
  operation: string | undefined;
  /** The function that the reply is wrapped into, when it is a JSONP call. */
  callback: string | undefined;
  errorCode: string | undefined;
  method: string;
}

/**
 * Logs the same line at the end of a request on the fast path.
 * @param start when it came in, by performance.now()
 */
export function logFastPath(
  log: Log,
  logged: LoggedRequest,
  start: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  onceClosed(request, response, () => {
    const { writableFinished, statusCode } = response;
    log.info(lineOf(logged, writableFinished, statusCode, performance.now() - start), "request");
  });
}

/** @param isSent false: the client left before the reply was sent */
function lineOf(
  { operation, method, errorCode, callback, trace }: LoggedRequest,
  isSent: boolean,
  status: number,
  ms: number,
) {
  const [jsonp, aborted] = [callback === undefined ? undefined : true, isSent ? undefined : true];
  return { operation, method, status, errorCode, jsonp, aborted, ms: Math.round(ms * 10) / 10, trace };
}
