import { ProfileService, type UpdateProfileRequest } from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { otherVersion } from "../../domain/errors.ts";
import { parseProfileChange } from "../../domain/profile-change.ts";
import { restrictReposts } from "../statuses/mark-reposts.ts";
import { writeOnce } from "../write-once.ts";
import { changeProfile } from "./change-profile.ts";

/** Changes the named fields of a profile, if it still has the version that the caller knows, and shows the whole. */
export async function updateProfile(ctx: SocialContext, request: UpdateProfileRequest) {
  const { userId, ifVersion } = request;
  const change = parseProfileChange(request);
  const answer = await writeOnce(ctx, ProfileService.method.updateProfile, request, [userId], (db) =>
    changeProfile(db, userId, change, (before) => {
      if (ifVersion !== undefined && before.version !== ifVersion) throw otherVersion(before.version);
    }),
  );
  // Also for a repeated request: its first attempt may have been interrupted here.
  await restrictReposts(ctx, [userId]);
  return answer;
}
