import { create } from "@bufbuild/protobuf";
import {
  type SocialFriendsRequest,
  SocialFriendsResponseSchema,
  SocialFriendsRequestSchema as schema,
} from "../../../../proto/gen/social/people/v1/lists_pb.ts";
import type { SocialContext } from "../../context.ts";
import { setRefusedBy } from "../reads/set-refused-by.ts";
import { findShownUser } from "./find-shown-user.ts";
import { listPeople } from "./list-people.ts";

/** Pages through whom a user follows, the newest first. */
export async function socialFriends(
  ctx: SocialContext,
  request: SocialFriendsRequest,
  viewer: bigint | undefined,
  header: Headers,
) {
  setRefusedBy(header, request.screenName);
  const user = await findShownUser(ctx, request.screenName, viewer);
  return create(
    SocialFriendsResponseSchema,
    await listPeople(ctx, { schema, request, list: "friends", user }, viewer, header),
  );
}
