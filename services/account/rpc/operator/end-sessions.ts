import { create } from "@bufbuild/protobuf";
import {
  type EndSessionsRequest,
  EndSessionsResponseSchema,
} from "../../../../proto/gen/account/v1/operator_service_pb.ts";
import type { AccountContext } from "../../context.ts";
import { endingSessions } from "../ending-sessions.ts";

/** Ends all sessions of a user. The user may sign in again. */
export async function endSessions(ctx: AccountContext, { userId }: EndSessionsRequest) {
  const ended = await endingSessions(ctx, (_db, end) => end.allOf(userId));
  return create(EndSessionsResponseSchema, { ended });
}
