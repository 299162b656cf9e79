import { create } from "@bufbuild/protobuf";
import {
  type SocialFollowersRequest,
  SocialFollowersResponseSchema,
  SocialFollowersRequestSchema as schema,
} from "../../../../proto/gen/social/people/v1/lists_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listPeople } from "./list-people.ts";

/** Pages through the followers of a user, the newest first. */
export async function socialFollowers(ctx: SocialContext, request: SocialFollowersRequest, viewer: bigint | undefined) {
  const page = await listPeople(ctx, { schema, request, list: "followers" }, viewer);
  return create(SocialFollowersResponseSchema, page);
}
