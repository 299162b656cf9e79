import { create } from "@bufbuild/protobuf";
import {
  type ListFriendsRequest,
  ListFriendsResponseSchema,
} from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listFriendPlaces } from "../../store/graph/list-relations.ts";
import { listRelations } from "./list-relations.ts";

/** Pages through whom a user follows. */
export async function listFriends(ctx: SocialContext, request: ListFriendsRequest, viewer: bigint | undefined) {
  return create(ListFriendsResponseSchema, await listRelations(ctx, request, viewer, listFriendPlaces));
}
