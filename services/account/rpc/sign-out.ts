import { create } from "@bufbuild/protobuf";
import { type SignOutRequest, SignOutResponseSchema } from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { endSession } from "../store/end-sessions.ts";

/** Ends the session whose id the caller presents. */
export async function signOut(ctx: AccountContext, request: SignOutRequest) {
  await endSession(ctx.pool, sessionIdHash(request.sessionId));
  return create(SignOutResponseSchema);
}
