import { create } from "@bufbuild/protobuf";
import {
  type ListSessionsRequest,
  ListSessionsResponseSchema,
} from "../../../proto/gen/account/v1/session_service_pb.ts";
import { sessionKey } from "../../platform/redis/freshness-key.ts";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { listEndedSessions } from "../store/end-sessions.ts";
import { listSessionRows, type StoredSession } from "../store/list-sessions.ts";
import { sessionView } from "../views/session.ts";

/** Lists the open sessions of a user. */
export async function listSessions(ctx: AccountContext, request: ListSessionsRequest) {
  const own = sessionIdHash(request.sessionId);
  const sessions = await loadSessions(ctx, request.userId, own);
  return create(ListSessionsResponseSchema, { sessions: sessions.map((session) => sessionView(session, own)) });
}

/** The open sessions of a user. Announces the sessions that it leaves out: another process may have ended them and not announced it yet. */
export async function loadSessions(ctx: AccountContext, userId: bigint, ownIdHash: Buffer): Promise<StoredSession[]> {
  const sessions = await listSessionRows(ctx.pool, userId, maxSessions, ownIdHash);
  const ended = await listEndedSessions(ctx.pool, userId);
  await ctx.announcer.announce(ended.map(sessionKey));
  return sessions;
}

/** The most sessions that are listed: more than a person reads. */
const maxSessions = 200;
