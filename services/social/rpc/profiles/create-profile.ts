import { create } from "@bufbuild/protobuf";
import {
  type CreateProfileRequest,
  CreateProfileResponseSchema,
} from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { addProfiles } from "./create-profiles.ts";

/** Creates the profile of an account, whose names the account service has checked. Repeating it changes nothing. */
export async function createProfile(ctx: SocialContext, request: CreateProfileRequest) {
  await addProfiles(ctx, [request]);
  return create(CreateProfileResponseSchema);
}
