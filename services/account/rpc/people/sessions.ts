import { create } from "@bufbuild/protobuf";
import {
  type SessionsRequest,
  SessionsResponseSchema,
} from "../../../../proto/gen/account/people/v1/people_service_pb.ts";
import type { AccountContext } from "../../context.ts";
import { sessionIdHash } from "../../domain/session-id.ts";
import { sessionResult } from "../../views/session.ts";
import { loadSessions } from "../list-sessions.ts";

/** Lists the open sessions of the actor. */
export async function sessions(ctx: AccountContext, { userId, sessionId }: SessionsRequest) {
  const own = sessionIdHash(sessionId);
  const stored = await loadSessions(ctx, userId, own);
  return create(SessionsResponseSchema, { results: stored.map((session) => sessionResult(session, own)) });
}
