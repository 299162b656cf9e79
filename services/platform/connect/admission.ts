import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { serviceTokenHeader } from "./client.ts";

type Handler = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void;

/**
 * Lets loopback callers and holders of the service token through and answers everybody else with 401, which gRPC and
 * Connect clients report as Unauthenticated (design §7).
 */
export function admitCallers(serviceToken: string | undefined, handler: Handler): Handler {
  const expected = serviceToken ? digest(serviceToken) : undefined;
  const knows = (presented: unknown) =>
    expected !== undefined && typeof presented === "string" && timingSafeEqual(digest(presented), expected);
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
