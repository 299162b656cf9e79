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
import { logExchange } from "./log/request-log.ts";
import { isPreflight, preflightHeaders, setCommonHeaders } from "./replies/common-headers.ts";
import { headerBytes } from "./requests/header-bytes.ts";
import { callbackOf, queryOf } from "./requests/request-target.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The function that the reply is wrapped into, when this is a JSONP call. */
    callback: string | undefined;
    /** The operation that runs, for the log. */
    operation: string | undefined;
    /** The errorCode of the reply, for the log: under JSONP the status tells nothing. */
    errorCode: string | undefined;
  }
}

/**
 * What every request goes through before its route: headers that all replies share, the log, and the checks that do not
 * depend on the route. Answers CORS preflights itself.
 */
export function beginExchange(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  setCommonHeaders(request, reply);
  logExchange(request, reply);
  const { headers, httpVersion, url = "" } = request.raw;
  // Node answers it as any other and drops the bytes behind it: a client that has sent more must not wait for more.
  if (headers.upgrade !== undefined) reply.header("connection", "close");
  // Before the callback is known: 414 and 431 are never wrapped (contract §4.3).
  if (url.length > maxUrlLength) throw urlTooLong();
  if (headerBytes(request.raw) > maxHeaderBytes) throw headersTooLarge();
  request.callback = callbackOf(queryOf(url));
  if (!healthPaths.includes(request.routeOptions.url as string)) request.server.load.admit();
  // The router takes some of them for one (contract §1.6).
  if (/^[^?]*\/\//.test(url)) throw unknownPath();
  if (httpVersion === "1.1" && headers.host === undefined) throw missingHost();
  if (hasSeveralHosts(request.raw)) throw severalHosts();
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect.trim())) throw unmetExpectation();
  return isPreflight(request) ? reply.code(204).headers(preflightHeaders(request)).send() : undefined;
}

/** Paths that are answered under any load. */
export const healthPaths: readonly string[] = ["/livez", "/readyz"];
