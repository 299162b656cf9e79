import { create } from "@bufbuild/protobuf";
import { type FollowRequest, FollowResponseSchema, Relation } from "../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../context.ts";
import { insertFollow, insertFollowRequest } from "../store/follows.ts";
import { withPair } from "./with-pair.ts";

/** Makes a user follow another; a protected one is asked first. */
export async function follow(ctx: SocialContext, request: FollowRequest) {
  const { followerId, userId } = request;
  const relation = await withPair(ctx, request, async (db, user) => {
    if (user.protected) {
      return (await insertFollowRequest(db, followerId, userId)) ? Relation.FOLLOWING : Relation.REQUESTED;
    }
    await insertFollow(db, followerId, userId);
    return Relation.FOLLOWING;
  });
  return create(FollowResponseSchema, { relation });
}
