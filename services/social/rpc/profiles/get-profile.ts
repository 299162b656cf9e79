import { create } from "@bufbuild/protobuf";
import {
  type GetProfileRequest,
  GetProfileResponseSchema,
} from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { suspendedUser, unknownUser } from "../../domain/errors.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { userSummary } from "../../views/user-summary.ts";

/** Shows a profile with the version that UpdateProfile compares. A suspended user's is shown to that user only. */
export async function getProfile(ctx: SocialContext, { userId }: GetProfileRequest, viewer: bigint | undefined) {
  const [row] = await listProfiles(ctx.pool, [userId], [], viewer);
  if (row === undefined) throw unknownUser();
  if (row.suspended && userId !== viewer) throw suspendedUser();
  const profile = userSummary(row, viewer === undefined ? undefined : row);
  return create(GetProfileResponseSchema, { profile, version: row.version });
}
