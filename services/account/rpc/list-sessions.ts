import { create } from "@bufbuild/protobuf";
import {
  type ListSessionsRequest,
  ListSessionsResponseSchema,
} from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { listSessions as load } from "../store/list-sessions.ts";
import { sessionView } from "../views/session.ts";

/** Shows a user where they are signed in. */
export async function listSessions(ctx: AccountContext, request: ListSessionsRequest) {
  const own = sessionIdHash(request.sessionId);
  const sessions = await load(ctx.pool, request.userId, maxSessions, own);
  return create(ListSessionsResponseSchema, { sessions: sessions.map((session) => sessionView(session, own)) });
}

/** The most sessions that are listed: more than a person reads. */
export const maxSessions = 200;
