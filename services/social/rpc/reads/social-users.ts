import { create } from "@bufbuild/protobuf";
import {
  SocialService,
  type SocialUsersRequest,
  SocialUsersRequestSchema,
  SocialUsersResponseSchema,
} from "../../../../proto/gen/social/v1/social_service_pb.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import { compileFindsNothing } from "../../../platform/rules/request-rules.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { listProfiles, type ProfileWithStatus } from "../../store/profiles/list-profiles.ts";
import { shownUsers } from "../shown-users.ts";
import { tellViewerState } from "./tell-viewer-state.ts";

/**
 * Looks users up by id, then by screen name: in the order asked, each once, unknown and suspended ones left out (contract §7).
 * @param header of the reply
 */
export async function socialUsers(
  ctx: SocialContext,
  request: SocialUsersRequest,
  viewer: bigint | undefined,
  header = new Headers(),
) {
  const fault = tooManyEntries(SocialUsersRequestSchema, request);
  if (fault !== undefined) throw invalidFields([fault]);
  if (findsNothing(request)) return create(SocialUsersResponseSchema);
  const names = request.screenNames.filter(isScreenName);
  const rows = await listProfiles(ctx.pool, request.userIds, names, viewer);
  tellViewerState(header, viewer, rows[0]);
  return create(SocialUsersResponseSchema, { results: shownUsers(inRequestOrder(request, rows), viewer) });
}

const findsNothing = compileFindsNothing(SocialService.method.socialUsers);

function inRequestOrder(request: SocialUsersRequest, rows: ProfileWithStatus[]): ProfileWithStatus[] {
  const byId = new Map(rows.map((row) => [row.user_id, row]));
  const byName = new Map(rows.map((row) => [nameKey(row.screen_name), row]));
  const asked = [
    ...request.userIds.map((id) => byId.get(id)),
    ...request.screenNames.map((name) => byName.get(nameKey(name))),
  ];
  return [...new Set(asked)].filter((row) => row !== undefined);
}
