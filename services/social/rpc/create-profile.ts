import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type CreateProfileRequest,
  CreateProfileResponseSchema,
} from "../../../proto/gen/social/v1/profile_service_pb.ts";
import { invalid } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { insertProfile } from "../store/insert-profile.ts";

/** Gives an account its profile. The account service has checked the names; repeating it changes nothing. */
export async function createProfile(ctx: SocialContext, request: CreateProfileRequest) {
  const { userId, screenName, createdAt } = request;
  if (userId <= 0n) throw invalid("userId", "NotEmpty", "'User Id' should not be empty.");
  if (screenName === "") throw invalid("screenName", "NotEmpty", "'Screen Name' should not be empty.");
  if (createdAt === undefined) throw invalid("createdAt", "NotEmpty", "'Created At' should not be empty.");
  await insertProfile(ctx.pool, { userId, screenName, name: request.name, createdAt: timestampDate(createdAt) });
  return create(CreateProfileResponseSchema);
}
