import type { Client } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import type { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { referenceHeader, viewerHeader } from "../../services/platform/connect/identity.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import { anonymousHeader } from "./session-cookie.ts";

/** On whose behalf a call is made, as headers for the service. */
export type CallerHeader = Readonly<Record<string, string>>;

/**
 * Finds out who calls, once per request however often it is asked. Rejects with ConnectError.
 * @param isRead whether the operation changes nothing
 */
export type IdentifyCaller = (request: FastifyRequest, isRead: boolean, deadline: Deadline) => Promise<CallerHeader>;

/**
 * Reads a caller's session: `Authorization: Bearer`, else the `ss-id` cookie where that counts. An unknown or expired
 * session makes the caller anonymous, which is no error; JSONP calls always are (contract §4.4, §10).
 */
export function createIdentifyCaller(sessions: Pick<Client<typeof SessionService>, "getSession">): IdentifyCaller {
  const known = new WeakMap<FastifyRequest, Promise<CallerHeader>>();
  const identify = async (request: FastifyRequest, isRead: boolean, deadline: Deadline): Promise<CallerHeader> => {
    if (request.callback !== undefined) return { [anonymousHeader]: "jsonp" };
    const sessionId = presentedSession(request, isRead);
    if (sessionId === undefined) return {};
    const options = { headers: { [referenceHeader]: request.id }, timeoutMs: millisecondsUntil(deadline) };
    const { userId } = await sessions.getSession({ sessionId }, options);
    return userId === undefined ? {} : { [viewerHeader]: userId.toString() };
  };
  return (request, isRead, deadline) => {
    const caller = known.get(request) ?? identify(request, isRead, deadline);
    known.set(request, caller);
    return caller;
  };
}

/** Whether a request presents a session, known or not. */
export function presentsSession(request: FastifyRequest, isRead: boolean): boolean {
  return request.callback === undefined && presentedSession(request, isRead) !== undefined;
}

/** The session id that a request presents, if any. A Bearer hides the cookie; other schemes are not ours (contract §10.1). */
function presentedSession(request: FastifyRequest, isRead: boolean): string | undefined {
  const { authorization = "", cookie } = request.headers;
  if (/^Bearer(?: |$)/i.test(authorization)) return /^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1];
  if (cookie === undefined) return undefined;
  const { countsForRead, countsForWrite } = request.server.cookieTrust(request);
  return (isRead ? countsForRead : countsForWrite) ? sessionCookieOf(cookie) : undefined;
}

function sessionCookieOf(cookie: string): string | undefined {
  return /(?:^|;\s*)ss-id=([\w.~+/=-]{1,512})(?=;|$)/.exec(cookie)?.[1];
}
