import type { FastifyReply, FastifyRequest } from "fastify";

/** What pages of other origins may read of every reply. */
export const exposedHeaders = "ETag, Retry-After, X-AutoBatch-Completed";

/**
 * Headers of every reply. CORS echoes the origin with credentials, because ServiceStack's browser client always asks for
 * them (contract §9.1). Vary does not name Origin: caches have to ask here before they use a reply, except an immutable asset.
 */
export function commonHeaders(origin?: string): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    // For browsers that open a reply as a page: nothing in it runs. Our pages have their own policy.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    Vary: "Accept-Encoding, Authorization, Cookie",
    "Access-Control-Expose-Headers": exposedHeaders,
    ...(origin === undefined
      ? { "Access-Control-Allow-Origin": "*" }
      : { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" }),
  };
}

/**
 * The same headers, as Node takes them, for a client that sends this Origin.
 * @param head for a client that sends none
 */
export function withOrigin(head: readonly string[], origin: string): string[] {
  const at = head.indexOf("Access-Control-Allow-Origin");
  return [...head.slice(0, at + 1), origin, ...head.slice(at + 2), "Access-Control-Allow-Credentials", "true"];
}

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(request.headers.origin));
}

/** Whether a browser asks if it may send a request; any other OPTIONS runs the operation (contract §1). */
export function isPreflight(request: FastifyRequest): boolean {
  return request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
}

/** The answer to a preflight: allows all that it asks for, for ten minutes. */
export function preflightHeaders({ headers }: FastifyRequest): Record<string, string> {
  const asked = headers["access-control-request-headers"];
  return {
    "Cache-Control": "no-store",
    "Access-Control-Allow-Methods": headers["access-control-request-method"] as string,
    "Access-Control-Max-Age": "600",
    ...(asked === undefined ? {} : { "Access-Control-Allow-Headers": asked }),
  };
}
