import { create } from "@bufbuild/protobuf";
import { type GetSessionRequest, GetSessionResponseSchema } from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { findSession } from "../store/find-session.ts";

/** Names the user of a session; none for an unknown or expired one. */
export async function getSession(ctx: AccountContext, request: GetSessionRequest) {
  return create(GetSessionResponseSchema, { userId: await findSession(ctx.pool, sessionIdHash(request.sessionId)) });
}
