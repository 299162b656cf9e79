import { create } from "@bufbuild/protobuf";
import {
  type ListFriendsRequest,
  ListFriendsResponseSchema,
} from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listOfUser } from "./list-of-user.ts";

/** Pages through the users whom a user follows. */
export async function listFriends(ctx: SocialContext, request: ListFriendsRequest, viewer: bigint | undefined) {
  return create(ListFriendsResponseSchema, await listOfUser(ctx, "friends", request, viewer));
}
