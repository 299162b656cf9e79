import { create } from "@bufbuild/protobuf";
import {
  type SocialFriendsRequest,
  SocialFriendsResponseSchema,
  SocialFriendsRequestSchema as schema,
} from "../../../../proto/gen/social/people/v1/lists_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listPeople } from "./list-people.ts";

/** Pages through the users whom a user follows, the newest first. */
export async function socialFriends(ctx: SocialContext, request: SocialFriendsRequest, viewer: bigint | undefined) {
  const page = await listPeople(ctx, { schema, request, list: "friends" }, viewer);
  return create(SocialFriendsResponseSchema, page);
}
