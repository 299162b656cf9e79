import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { Health } from "../../../proto/gen/grpc/health/v1/health_pb.ts";
import { hostOf, isLoopbackHost } from "./host-header.ts";
import { serviceTokenHeader } from "./identity.ts";

type Handler = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void;

/**
 * Admits holders of a service token and callers on loopback, and answers all others with 401, which gRPC and Connect clients
 * report as Unauthenticated (design §7). Probes of an orchestrator can send no token: they may check health, which says only whether
 * the process serves. There may be several tokens, while a new one replaces an old one.
 *
 * A browser is on loopback too, and its page may come from any site. So a caller without a token must not be a browser, and its Host has
 * to be a name that only this machine has: any other name may resolve to 127.0.0.1 (DNS rebinding).
 */
export function admitCallers(serviceTokens: readonly string[], handler: Handler): Handler {
  const expected = serviceTokens.filter((token) => token !== "").map(digest);
  const knows = (presented: unknown) => {
    if (typeof presented !== "string") return false;
    const known = digest(presented);
    return expected.some((token) => timingSafeEqual(known, token));
  };
  return (request, response) => {
    const host = hostOf(request);
    if (host === undefined) return refuse(response, 400, "The request has to name one host.");
    if (request.url === healthCheck && !isBrowser(request)) return handler(request, response);
    if (isLocalProgram(request, host) || knows(request.headers[serviceTokenHeader])) return handler(request, response);
    refuse(response, 401, "A service token is needed, or a call from this machine to a name such as localhost.");
  };
}

function refuse(response: ServerResponse | Http2ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { "content-type": "text/plain" });
  response.end(reason);
}

// Not `Watch`, which keeps a stream and asks the database each second.
const healthCheck = `/${Health.typeName}/${Health.method.check.name}`;

function isLocalProgram(request: IncomingMessage | Http2ServerRequest, host: string): boolean {
  return isLoopback(request.socket.remoteAddress) && isLoopbackHost(host) && !isBrowser(request);
}

// Browsers send one of these two headers with every request that a page makes to another origin.
function isBrowser({ headers }: IncomingMessage | Http2ServerRequest): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}

/** Whether an address can only be this machine's own. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.startsWith("::ffff:") ? address.slice(7) : address;
  return plain === "::1" || plain.startsWith("127.");
}

// Digests are equally long, as the constant-time comparison needs them.
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
