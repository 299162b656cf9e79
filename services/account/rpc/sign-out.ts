import { create } from "@bufbuild/protobuf";
import { type SignOutRequest, SignOutResponseSchema } from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { endingSessions } from "./ending-sessions.ts";

/** Ends the session whose id the caller presents. */
export async function signOut(ctx: AccountContext, request: SignOutRequest) {
  await endingSessions(ctx, (_db, end) => end.one(sessionIdHash(request.sessionId)));
  return create(SignOutResponseSchema);
}
