import { create } from "@bufbuild/protobuf";
import {
  type SessionsRequest,
  SessionsResponseSchema,
} from "../../../../proto/gen/account/people/v1/people_service_pb.ts";
import { sessionKey } from "../../../platform/redis/freshness-key.ts";
import type { AccountContext } from "../../context.ts";
import { sessionIdHash } from "../../domain/session-id.ts";
import { listEndedSessions } from "../../store/end-sessions.ts";
import { listSessions } from "../../store/list-sessions.ts";
import { sessionResult } from "../../views/session.ts";
import { maxSessions } from "../list-sessions.ts";

/** Lists where the actor is signed in. */
export async function sessions(ctx: AccountContext, { userId, sessionId }: SessionsRequest) {
  const own = sessionIdHash(sessionId);
  const stored = await listSessions(ctx.pool, userId, maxSessions, own);
  // The list leaves out what another process has ended and may not have announced yet.
  const ended = await listEndedSessions(ctx.pool, userId);
  await ctx.announcer.announce(ended.map(sessionKey));
  return create(SessionsResponseSchema, { results: stored.map((session) => sessionResult(session, own)) });
}
