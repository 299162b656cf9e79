import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hasSeveralHosts } from "../../services/platform/connect/host-header.ts";
import {
  headersTooLarge,
  missingHost,
  severalHosts,
  unknownPath,
  unmetExpectation,
  urlTooLong,
} from "./errors/catalog.ts";
import { maxHeaderBytes, maxUrlLength } from "./limits/limits.ts";
import type { LoadShedding } from "./load/load-shedding.ts";
import { logRequest } from "./log/request-log.ts";
import type { RequestMetrics } from "./log/request-metrics.ts";
import { isPreflight, preflightHeaders, setCommonHeaders } from "./replies/common-headers.ts";
import { beginContext } from "./requests/request-context.ts";
import { headerBytes } from "./requests/request-head.ts";
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
  const { headers, httpVersion, url = "" } = request.raw;
  // Node answers an upgrade request like any other and drops the bytes after it, so the client must not wait for more replies.
  if (headers.upgrade !== undefined) reply.header("connection", "close");
  // Before the callback is read: 414 and 431 are never wrapped (contract §4.3).
  if (url.length > maxUrlLength) throw urlTooLong();
  if (headerBytes(request.raw) > maxHeaderBytes) throw headersTooLarge();
  request.context.callback = callbackOf(queryOf(url));
  if (!healthPaths.includes(request.routeOptions.url as string)) load.admit();
  // The router takes some double slashes for one (contract §1.6).
  if (/^[^?]*\/\//.test(url)) throw unknownPath();
  if (httpVersion === "1.1" && headers.host === undefined) throw missingHost();
  if (hasSeveralHosts(request.raw)) throw severalHosts();
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect.trim())) throw unmetExpectation();
  return isPreflight(request) ? reply.code(204).headers(preflightHeaders(request)).send() : undefined;
}

/** Paths that are answered under any load. */
const healthPaths: readonly string[] = ["/livez", "/readyz"];

/**
 * Whether a request for a target that was served before certainly passes `checkRequest`: it may refuse one that would pass. The length
 * and the slashes of the target were checked when it was served first.
 */
export function passesChecks(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
    headers.host !== undefined &&
    !hasSeveralHosts(request) &&
    headers.expect === undefined &&
    headers.upgrade === undefined &&
    headerBytes(request) <= maxHeaderBytes
  );
}
