import { create } from "@bufbuild/protobuf";
import {
  type UpdateProfileRequest,
  UpdateProfileResponseSchema,
} from "../../../proto/gen/social/v1/profile_service_pb.ts";
import { notFound } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { parseProfileChange } from "../domain/profile-change.ts";
import { updateProfileRow } from "../store/update-profile.ts";
import { userSummary } from "../views/user-summary.ts";

/** Changes the named fields of a profile and shows the whole. */
export async function updateProfile(ctx: SocialContext, request: UpdateProfileRequest) {
  const change = parseProfileChange(request);
  const row = await updateProfileRow(ctx.pool, request.userId, change);
  if (row === undefined) throw notFound("There is no user with that id.");
  return create(UpdateProfileResponseSchema, { profile: userSummary(row) });
}
