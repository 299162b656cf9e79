import { ProfileService, type SetProtectedRequest } from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { restrictReposts } from "../statuses/mark-reposts.ts";
import { writeOnce } from "../write-once.ts";
import { changeProfile } from "./change-profile.ts";

/** Sets whether a user's statuses are for approved followers only. */
export async function setProtected(ctx: SocialContext, request: SetProtectedRequest) {
  const { userId, protected: isProtected } = request;
  const answer = await writeOnce(ctx, ProfileService.method.setProtected, request, [userId], (db) =>
    changeProfile(db, userId, { protected: isProtected }),
  );
  // Also for a repeated request: its first attempt may have been interrupted here.
  await restrictReposts(ctx, [userId]);
  return answer;
}
