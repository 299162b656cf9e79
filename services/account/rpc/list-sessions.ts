import { create } from "@bufbuild/protobuf";
import {
  type ListSessionsRequest,
  ListSessionsResponseSchema,
} from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { listSessionRows, type StoredSession } from "../store/list-sessions.ts";
import { sessionView } from "../views/session.ts";

/** Lists the open sessions of a user. */
export async function listSessions(ctx: AccountContext, request: ListSessionsRequest) {
  const own = sessionIdHash(request.sessionId);
  const sessions = await loadSessions(ctx, request.userId, own);
  return create(ListSessionsResponseSchema, { sessions: sessions.map((session) => sessionView(session, own)) });
}

/** The open sessions of a user. */
export function loadSessions(ctx: AccountContext, userId: bigint, ownIdHash: Buffer): Promise<StoredSession[]> {
  return listSessionRows(ctx.pool, userId, maxSessions, ownIdHash);
}

/** The most sessions that are listed: more than a person reads. */
const maxSessions = 200;
