import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { LoadShedding } from "./load/load-shedding.ts";
import { logRequest } from "./log/request-log.ts";
import type { RequestMetrics } from "./log/request-metrics.ts";
import { isPreflight, preflightHeaders, setCommonHeaders } from "./replies/common-headers.ts";
import { beginContext } from "./requests/request-context.ts";
import { checkHead, checkLengths } from "./requests/request-rules.ts";
import { callbackOf, queryOf } from "./requests/request-target.ts";

/** What the checks need, the same for all requests. */
export interface CheckParts {
  load: Pick<LoadShedding, "admit">;
  requests: RequestMetrics;
}

/**
 * Checks what does not depend on the route, after setting the headers that all replies share and beginning the log. Answers CORS preflights itself.
 */
export function checkRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { load, requests }: CheckParts,
): FastifyReply | undefined {
  beginContext(request);
  setCommonHeaders(request, reply);
  logRequest(request, reply, requests);
  // Node answers an upgrade request like any other and drops the bytes after it, so the client must not wait for more replies.
  if (request.raw.headers.upgrade !== undefined) reply.header("connection", "close");
  checkLengths(request.raw);
  request.context.callback = callbackOf(queryOf(request.raw.url ?? ""));
  if (!healthPaths.includes(request.routeOptions.url as string)) load.admit();
  checkHead(request.raw);
  return isPreflight(request) ? reply.code(204).headers(preflightHeaders(request)).send() : undefined;
}

/** Paths that are answered under any load. */
const healthPaths: readonly string[] = ["/livez", "/readyz"];

/**
 * Presents every request to the router as a GET: every path answers all verbs alike or decides by itself (contract §1), so each is
 * added once and not for 34 verbs, since building 34 trees of routes takes a quarter of a gateway's start. So a route for one verb alone
 * cannot be added; `addReadOnly` refuses verbs instead.
 */
export function presentAsGet(request: IncomingMessage): void {
  verbs.set(request, request.method);
  request.method = "GET";
}

/** Restores the verb of a request. To be called before anything else is done with it. */
export function restoreVerb(request: IncomingMessage): void {
  request.method = verbs.get(request);
}

const verbs = new WeakMap<IncomingMessage, string | undefined>();
