import { ProfileService, type SetVerifiedRequest } from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { writeOnce } from "../write-once.ts";
import { changeProfile } from "./change-profile.ts";

/** Sets whether the operator has verified a user's identity. */
export function setVerified(ctx: SocialContext, request: SetVerifiedRequest) {
  const { userId, verified } = request;
  return writeOnce(ctx, ProfileService.method.setVerified, request, [userId], (db) =>
    changeProfile(db, userId, { verified }),
  );
}
