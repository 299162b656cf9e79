import { create } from "@bufbuild/protobuf";
import { type SocialUsersRequest, SocialUsersResponseSchema } from "../../../proto/gen/social/v1/social_service_pb.ts";
import { invalid } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { canRead } from "../domain/can-read.ts";
import { isScreenName } from "../domain/screen-name.ts";
import { listProfiles, type ProfileWithStatus } from "../store/list-profiles.ts";
import { profileResult } from "../views/profile-result.ts";

/** Looks users up by id, then by screen name: in the order asked, each once, unknown ones left out (contract §7). */
export async function socialUsers(ctx: SocialContext, request: SocialUsersRequest, viewer: bigint | undefined) {
  checkLengths(request);
  if (request.userIds.length + request.screenNames.length === 0) return create(SocialUsersResponseSchema);
  const names = request.screenNames.filter(isScreenName);
  const rows = await listProfiles(ctx.pool, request.userIds, names, viewer);
  const results = inRequestOrder(request, rows).map((row) => profileResult(row, viewer, canRead(row, viewer)));
  return create(SocialUsersResponseSchema, { results });
}

/** The most entries of both lists together. */
const most = 1_000;

function checkLengths({ userIds, screenNames }: SocialUsersRequest): void {
  if (userIds.length > most) throw tooMany("userIds", "User Ids");
  if (userIds.length + screenNames.length > most) throw tooMany("screenNames", "Screen Names");
}

function tooMany(fieldName: string, label: string) {
  return invalid(fieldName, "InclusiveBetween", `'${label}' must be between 0 and ${most} entries.`);
}

function inRequestOrder(request: SocialUsersRequest, rows: ProfileWithStatus[]): ProfileWithStatus[] {
  const byId = new Map(rows.map((row) => [row.user_id, row]));
  const byName = new Map(rows.map((row) => [row.screen_name.toLowerCase(), row]));
  const asked = [
    ...request.userIds.map((id) => byId.get(id)),
    ...request.screenNames.map((name) => byName.get(name.toLowerCase())),
  ];
  return [...new Set(asked)].filter((row) => row !== undefined);
}
