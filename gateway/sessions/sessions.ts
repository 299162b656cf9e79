import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { anonymousHeader, sessionHeader, viewerHeader } from "../../services/platform/connect/identity.ts";
import { copyText } from "../../services/platform/lru.ts";
import { oncePer } from "../../services/platform/once-per.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import { cookieTrustOf, createCookieTrust } from "./cookie-trust.ts";

/** Headers for the service that name the user on whose behalf a call is made. */
export type CallerHeader = Readonly<Record<string, string>>;

/** Gives the id of a session's user, undefined for an unknown, expired or ended one. Rejects with ConnectError. */
export type FindUser = (sessionId: string, deadline: Deadline) => Promise<string | undefined>;

/** The session that a request presents. */
export interface PresentedSession {
  /** The id as it was given, valid or not; empty when none counts. */
  id: string;
  isCookie: boolean;
  /** Whether there is a cookie that does not count, since another site may have made the request (contract §10.3). */
  hasForeignCookie: boolean;
}

/** The sessions that requests present (contract §4.4, §10). JSONP calls are always anonymous. */
export interface Sessions {
  /**
   * Finds the caller, once per request however often this is called. With an unknown or expired session the caller is
   * anonymous, which is no error. Rejects with ConnectError.
   * @param isRead whether the operation changes nothing
   */
  identify(request: FastifyRequest, isRead: boolean, deadline: Deadline): Promise<CallerHeader>;
  /** The session that a request presents, valid or not. */
  presented(request: FastifyRequest, isRead: boolean): PresentedSession;
  /**
   * Sets a session as the caller's cookie, or ends the cookie, once the whole request has succeeded; not where a page of another
   * site may have made the request (contract §10.3).
   * @param session the service's session header; null: no change
   */
  setCookie(request: FastifyRequest, reply: FastifyReply, session: string | null): void;
}

/**
 * Reads sessions from `Authorization: Bearer`, else from the `ss-id` cookie where that counts.
 * @param corsOrigins other origins from which the cookie counts
 */
export function createSessions(findUser: FindUser, corsOrigins: readonly string[]): Sessions {
  const cookieTrust = createCookieTrust(corsOrigins);
  /** By session id: in one batch the cookie may count for an item that reads, and not for the next one. */
  const callersOf = oncePer((_request: FastifyRequest) => new Map<string, Promise<CallerHeader>>());

  function presented(request: FastifyRequest, isRead: boolean): PresentedSession {
    if (request.context.callback !== undefined) return none;
    const { id, isCookie } = sessionIn(request.headers);
    if (!isCookie) return { ...none, id };
    const { countsForRead, countsForWrite } = cookieTrust(request);
    const counts = isRead ? countsForRead : countsForWrite;
    return counts ? { ...none, id, isCookie } : { ...none, hasForeignCookie: true };
  }

  async function identifyOnce(request: FastifyRequest, sessionId: string, deadline: Deadline): Promise<CallerHeader> {
    if (request.context.callback !== undefined) return { [anonymousHeader]: "jsonp" };
    if (sessionId === "") return {};
    const userId = await findUser(sessionId, deadline);
    return userId === undefined ? {} : { [viewerHeader]: userId };
  }

  return {
    identify(request, isRead, deadline) {
      const { id } = presented(request, isRead);
      const callers = callersOf(request);
      const caller = callers.get(id) ?? identifyOnce(request, id, deadline);
      callers.set(id, caller);
      return caller;
    },
    presented,
    setCookie(request, reply, session) {
      // Any page may load a script, so a JSONP call never signs in, whatever the service answers.
      if (session === null || request.context.callback !== undefined) return;
      if (!cookieTrust(request).countsForWrite) return;
      reply.header("Set-Cookie", sessionCookie(session, request.protocol === "https"));
    },
  };
}

/** The session that headers hold. A Bearer hides the cookie; other schemes are not ours (contract §10.1). */
function sessionIn({ authorization = "", cookie = "" }: IncomingHttpHeaders): { id: string; isCookie: boolean } {
  if (/^Bearer(?: |$)/i.test(authorization)) {
    return { id: copyText(/^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1] ?? ""), isCookie: false };
  }
  const found = cookieId.exec(cookie)?.[2];
  const id = found && copyText(found);
  // A page of a sibling domain can add a cookie of this name, and then it is not known which one is ours (RFC 6265 §8.6).
  if (id === undefined || hasAnother(cookie, id)) return { id: "", isCookie: false };
  return { id, isCookie: true };
}

/** The value may be in quotes (RFC 6265 §4.1.1). */
const cookieId = /(?:^|;\s*)ss-id=("?)([\w.~+/=-]{1,512})\1(?=;|$)/;

/** Whether a Cookie header names a session, whether or not it counts. */
export function hasSessionCookie(cookie = ""): boolean {
  return cookieId.test(cookie);
}

function hasAnother(cookie: string, id: string): boolean {
  if (cookie.indexOf("ss-id=") === cookie.lastIndexOf("ss-id=")) return false;
  const same = [`ss-id=${id}`, `ss-id="${id}"`];
  return cookie.split(/;\s*/).some((pair) => pair.startsWith("ss-id=") && !same.includes(pair));
}

/**
 * The session id that a GET, or a POST of a read, presents, "" for none; undefined where that depends on which origins are our own. Not
 * for JSONP calls, which are anonymous.
 */
export function sessionOfRead(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization === undefined && headers.cookie === undefined) return "";
  const { id, isCookie } = sessionIn(headers);
  if (!isCookie) return id;
  const { origin } = headers;
  const fetchSite = headers["sec-fetch-site"]?.toString();
  if (origin !== undefined && fetchSite !== "same-origin") return undefined;
  return cookieTrustOf({ method: "GET", fetchSite, origin }, () => false).countsForRead ? id : "";
}

const none: PresentedSession = { id: "", isCookie: false, hasForeignCookie: false };

/**
 * The `ss-id` cookie, set or ended, for a service's session header. Max-Age without Expires: ServiceStack's client splits Set-Cookie on
 * commas, and dates have one.
 */
function sessionCookie(header: string, isHttps: boolean): string {
  if (header === "ended") return "ss-id=; Max-Age=0; Path=/";
  const match = /^([\w.~+/=-]+); max-age=(\d+)$/.exec(header);
  // The value is a secret: it is not repeated.
  if (match === null) throw new Error(`A service sent a ${sessionHeader} header that cannot be read`);
  const [, id, maxAge] = match;
  return `ss-id=${id}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
}
