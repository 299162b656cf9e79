import { create } from "@bufbuild/protobuf";
import {
  type EndSessionsRequest,
  EndSessionsResponseSchema,
} from "../../../../proto/gen/account/v1/operator_service_pb.ts";
import type { AccountContext } from "../../context.ts";
import { endSessionsOf } from "../../store/end-sessions.ts";

/** Ends all sessions of a user. The user may sign in again. */
export async function endSessions(ctx: AccountContext, { userId }: EndSessionsRequest) {
  return create(EndSessionsResponseSchema, { ended: await endSessionsOf(ctx.pool, userId) });
}
