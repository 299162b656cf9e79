import { create } from "@bufbuild/protobuf";
import {
  type FindSessionUsersRequest,
  FindSessionUsersRequestSchema,
  FindSessionUsersResponseSchema,
} from "../../../proto/gen/account/v1/session_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { findSessionUsers as findUsers } from "../store/find-session-users.ts";

/** The user of each session, in order; 0 for one that does not stand. Reads the primary, so a session that was ended never counts. */
export async function findSessionUsers(ctx: AccountContext, request: FindSessionUsersRequest) {
  refuseFields([tooManyEntries(FindSessionUsersRequestSchema, request)]);
  return create(FindSessionUsersResponseSchema, {
    userIds: await findUsers(ctx.pool, request.sessionIds.map(sessionIdHash)),
  });
}
