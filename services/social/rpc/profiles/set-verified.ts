import { ProfileService, type SetVerifiedRequest } from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { unknownUser } from "../../domain/errors.ts";
import { lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { updateProfileRow } from "../../store/profiles/update-profile.ts";
import { userSummary } from "../../views/user-summary.ts";
import { writeOnce } from "../write-once.ts";

/** Sets whether the operator has verified a user's identity. */
export function setVerified(ctx: SocialContext, request: SetVerifiedRequest) {
  const { userId, verified } = request;
  return writeOnce(ctx, ProfileService.method.setVerified, request, [userId], async (db) => {
    if (!(await lockProfiles(db, [userId])).has(userId)) throw unknownUser();
    const row = await updateProfileRow(db, userId, { verified });
    return { profile: userSummary(row), version: row.version };
  });
}
