import type { Client } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { referenceHeader, viewerHeader } from "../../services/platform/connect/identity.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import { createCookieTrust } from "./cookie-trust.ts";
import { anonymousHeader, sessionCookie } from "./session-cookie.ts";

/** On whose behalf a call is made, as headers for the service. */
export type CallerHeader = Readonly<Record<string, string>>;

/** The sessions that requests present (contract §4.4, §10). JSONP calls are always anonymous. */
export interface Sessions {
  /**
   * Finds out who calls, once per request however often it is asked. An unknown or expired session makes the caller
   * anonymous, which is no error. Rejects with ConnectError.
   * @param isRead whether the operation changes nothing
   */
  identify(request: FastifyRequest, isRead: boolean, deadline: Deadline): Promise<CallerHeader>;
  /** Whether a request presents a session, known or not. */
  presents(request: FastifyRequest, isRead: boolean): boolean;
  /**
   * Makes a session the caller's cookie, once the whole request has succeeded; not where a page of another site may have made
   * the request (contract §10.3).
   * @param session as the service says it; null: none
   */
  setCookie(request: FastifyRequest, reply: FastifyReply, session: string | null): void;
}

/**
 * Reads sessions from `Authorization: Bearer`, else from the `ss-id` cookie where that counts.
 * @param corsOrigins other origins from which the cookie counts
 */
export function createSessions(
  client: Pick<Client<typeof SessionService>, "getSession">,
  corsOrigins: readonly string[],
): Sessions {
  const cookieTrust = createCookieTrust(corsOrigins);
  const known = new WeakMap<FastifyRequest, Promise<CallerHeader>>();

  /** The session id that a request presents, if any. A Bearer hides the cookie; other schemes are not ours (contract §10.1). */
  function presented(request: FastifyRequest, isRead: boolean): string | undefined {
    const { authorization = "", cookie } = request.headers;
    if (/^Bearer(?: |$)/i.test(authorization)) return /^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1];
    if (cookie === undefined) return undefined;
    const { countsForRead, countsForWrite } = cookieTrust(request);
    return (isRead ? countsForRead : countsForWrite) ? sessionCookieOf(cookie) : undefined;
  }

  async function identifyOnce(request: FastifyRequest, isRead: boolean, deadline: Deadline): Promise<CallerHeader> {
    if (request.context.callback !== undefined) return { [anonymousHeader]: "jsonp" };
    const sessionId = presented(request, isRead);
    if (sessionId === undefined) return {};
    const options = { headers: { [referenceHeader]: request.id }, timeoutMs: millisecondsUntil(deadline) };
    const { userId } = await client.getSession({ sessionId }, options);
    return userId === undefined ? {} : { [viewerHeader]: userId.toString() };
  }

  return {
    identify(request, isRead, deadline) {
      const caller = known.get(request) ?? identifyOnce(request, isRead, deadline);
      known.set(request, caller);
      return caller;
    },
    presents: (request, isRead) => request.context.callback === undefined && presented(request, isRead) !== undefined,
    setCookie(request, reply, session) {
      // Any page may load a script: a JSONP call never signs in, whatever the service made of it.
      if (session === null || request.context.callback !== undefined) return;
      if (!cookieTrust(request).countsForWrite) return;
      reply.header("set-cookie", sessionCookie(session, request.protocol === "https"));
    },
  };
}

function sessionCookieOf(cookie: string): string | undefined {
  return /(?:^|;\s*)ss-id=([\w.~+/=-]{1,512})(?=;|$)/.exec(cookie)?.[1];
}
