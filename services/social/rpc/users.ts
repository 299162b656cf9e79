import { create } from "@bufbuild/protobuf";
import {
  SocialService,
  type SocialUsersRequest,
  SocialUsersRequestSchema,
  SocialUsersResponseSchema,
} from "../../../proto/gen/social/v1/social_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import { compileFindsNothing } from "../../platform/rules/request-rules.ts";
import type { SocialContext } from "../context.ts";
import { listProfiles, type ProfileWithStatus } from "../store/profiles/list-profiles.ts";
import { findUsers, shownUsers } from "./find-users.ts";
import { setViewerState, viewerStateOf } from "./viewer-reads.ts";

/**
 * Looks users up by id, then by screen name: in the order asked, each once, unknown and suspended ones left out (contract §7).
 * @param header of the reply
 */
export async function socialUsers(
  ctx: SocialContext,
  request: SocialUsersRequest,
  viewer: bigint | undefined,
  header: Headers,
) {
  refuseFields([tooManyEntries(SocialUsersRequestSchema, request)]);
  if (findsNothing(request)) return create(SocialUsersResponseSchema);
  const { userIds, screenNames } = request;
  const list = (ids: readonly bigint[], names: readonly string[]) => listProfiles(ctx.pool, ids, names, viewer);
  const users = await findUsers(ctx, userIds, screenNames, list);
  setViewerState(header, viewerStateOf(viewer, users, users.flatMap(relatedTo)));
  return create(SocialUsersResponseSchema, { results: shownUsers(users, viewer) });
}

/**
 * The user, and the author of the status that the user's newest one repeats. When that status is hidden, the rows were read in
 * several states.
 */
function relatedTo(row: ProfileWithStatus): bigint[] {
  const original = row.status_id === null ? null : row.repost_of_author_id;
  return original === null ? [row.user_id] : [row.user_id, original];
}

const findsNothing = compileFindsNothing(SocialService.method.socialUsers);
