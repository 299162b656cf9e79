import { create } from "@bufbuild/protobuf";
import {
  type ListProfilesRequest,
  ListProfilesResponseSchema,
} from "../../../../proto/gen/social/v1/verify_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listProfileStates } from "../../store/verify/list-profile-states.ts";

/** Lists the profiles and deletions of the next users. */
export async function listProfiles(ctx: SocialContext, { afterUserId }: ListProfilesRequest) {
  const profiles = await listProfileStates(ctx.pool, afterUserId, batch);
  const nextAfterUserId = profiles.length < batch ? 0n : profiles.at(-1)?.userId;
  return create(ListProfilesResponseSchema, { profiles, nextAfterUserId });
}

const batch = 1_000;
