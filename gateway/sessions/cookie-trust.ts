import type { FastifyRequest } from "fastify";

/** Whether the session cookie of a request counts. */
export interface CookieTrust {
  /** For a read. */
  countsForRead: boolean;
  /** For a write, and whether the reply may set another cookie. */
  countsForWrite: boolean;
}

/** The headers that tell which page made a request. */
export interface RequestOrigin {
  method: string;
  /** Sec-Fetch-Site: browsers set it, and pages cannot (Fetch Metadata). */
  fetchSite: string | undefined;
  /** Origin, which pages cannot set either. */
  origin: string | undefined;
  /** Sec-Fetch-Dest: `empty` for what a script asks for; pictures, frames and links have other values (Fetch Metadata). */
  fetchDest?: string | undefined;
}

/**
 * The rule of contract §10: a cookie counts where no page of another site can have made the request, since a browser
 * adds it to the requests of any page. The same rule holds for setting it: otherwise a form of another site could sign a user in as
 * another user.
 * @param isTrusted whether an Origin is our own or one of CORS_ORIGINS
 */
export function cookieTrustOf(
  { method, fetchSite, origin, fetchDest }: RequestOrigin,
  isTrusted: (origin: string) => boolean,
): CookieTrust {
  // Pages under no-referrer send Origin `null` to their own site, too.
  const isOurPage = fetchSite === "same-origin" || (origin !== undefined && isTrusted(origin));
  const isNoBrowser = fetchSite === undefined && origin === undefined;
  // The user typed the address or opened a bookmark.
  const isTyped = fetchSite === "none" && origin === undefined;
  // Our page shows pictures and links that other users have chosen: requests for these come from no script of ours.
  const isScript = fetchDest === undefined || fetchDest === "empty";
  return {
    countsForRead: isOurPage || isNoBrowser || isTyped,
    // Old browsers send neither header with a GET for an image on a foreign page.
    countsForWrite: bodyMethods.has(method) ? isOurPage || isNoBrowser : isOurPage && isScript,
  };
}

/** With these every browser names the origin. */
const bodyMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * The same for a request. Our own origin comes from the Host header, never from
 * X-Forwarded-Host, which a page can send; its scheme may come from a trusted proxy.
 * @param corsOrigins other origins from which the cookie counts
 */
export function createCookieTrust(corsOrigins: readonly string[]): (request: FastifyRequest) => CookieTrust {
  return (request) => {
    const { headers, method, protocol } = request;
    const { host, origin } = headers;
    const isTrusted = (given: string) => corsOrigins.includes(given) || (!!host && given === `${protocol}://${host}`);
    const fetchSite = headers["sec-fetch-site"]?.toString();
    const fetchDest = headers["sec-fetch-dest"]?.toString();
    return cookieTrustOf({ method, fetchSite, origin, fetchDest }, isTrusted);
  };
}
