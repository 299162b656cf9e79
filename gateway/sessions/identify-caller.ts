import type { Client } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import type { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { referenceHeader, viewerHeader } from "../../services/platform/connect/identity.ts";
import { anonymousHeader } from "./session-cookie.ts";

/** On whose behalf a call is made, as headers for the service. */
export type CallerHeader = Readonly<Record<string, string>>;

/** Finds out who calls, once per request however often it is asked. Rejects with ConnectError. */
export type IdentifyCaller = (request: FastifyRequest) => Promise<CallerHeader>;

/**
 * Reads a caller's session: `Authorization: Bearer`, else the `ss-id` cookie where that counts. An unknown or expired
 * session makes the caller nobody, which is no error; JSONP calls are always made for nobody (contract §4, §6, §9).
 * @param corsOrigins other origins from which the cookie counts
 */
export function createIdentifyCaller(
  sessions: Pick<Client<typeof SessionService>, "getSession">,
  corsOrigins: readonly string[],
): IdentifyCaller {
  const known = new WeakMap<FastifyRequest, Promise<CallerHeader>>();
  const identify = async (request: FastifyRequest): Promise<CallerHeader> => {
    if (request.callback !== undefined) return { [anonymousHeader]: "jsonp" };
    const sessionId = presentedSession(request, corsOrigins);
    if (sessionId === undefined) return {};
    const { userId } = await sessions.getSession({ sessionId }, { headers: { [referenceHeader]: request.id } });
    return userId === undefined ? {} : { [viewerHeader]: userId.toString() };
  };
  return (request) => {
    const caller = known.get(request) ?? identify(request);
    known.set(request, caller);
    return caller;
  };
}

/** The session id that a request presents, if any. */
function presentedSession(request: FastifyRequest, corsOrigins: readonly string[]): string | undefined {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) return /^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1];
  return cookie !== undefined && isTrustedOrigin(request, corsOrigins) ? sessionCookieOf(cookie) : undefined;
}

function sessionCookieOf(cookie: string): string | undefined {
  return /(?:^|;\s*)ss-id=([\w.~+/=-]{1,512})(?=;|$)/.exec(cookie)?.[1];
}

// Browsers name the origin of whatever another site's page asks for. Without one it is our own page, or no browser.
function isTrustedOrigin({ headers, protocol, host }: FastifyRequest, corsOrigins: readonly string[]): boolean {
  const { origin } = headers;
  return origin === undefined || origin === `${protocol}://${host}` || corsOrigins.includes(origin);
}
