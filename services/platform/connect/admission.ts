import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { serviceTokenHeader } from "./client.ts";

type Handler = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void;

/**
 * Lets loopback callers and holders of a service token through and answers everybody else with 401, which gRPC and
 * Connect clients report as Unauthenticated (design §7). Several tokens are for the time in which one follows another.
 */
export function admitCallers(serviceTokens: readonly string[], handler: Handler): Handler {
  const expected = serviceTokens.filter((token) => token !== "").map(digest);
  const knows = (presented: unknown) => {
    if (typeof presented !== "string") return false;
    const known = digest(presented);
    return expected.some((token) => timingSafeEqual(known, token));
  };
  return (request, response) => {
    if (isLoopback(request.socket.remoteAddress) || knows(request.headers[serviceTokenHeader])) {
      handler(request, response);
      return;
    }
    response.writeHead(401, { "content-type": "text/plain" });
    response.end("A service token is needed.");
  };
}

/** Whether an address can only be this machine's own. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.startsWith("::ffff:") ? address.slice(7) : address;
  return plain === "::1" || plain.startsWith("127.");
}

// Equal lengths for the constant-time comparison, whatever was presented.
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
