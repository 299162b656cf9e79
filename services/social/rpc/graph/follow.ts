import { type FollowRequest, GraphService, Relation } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { writeOnce } from "../write-once.ts";
import { beginFollow } from "./begin-follow.ts";
import { withPair } from "./with-pair.ts";

/** Makes a user follow another, or ask to follow when the other is protected. */
export function follow(ctx: SocialContext, request: FollowRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.follow, request, [followerId, userId], async (db) => {
    const { follower, user } = await withPair(db, request);
    const isFollowing = await beginFollow(db, follower, user);
    return { relation: isFollowing ? Relation.FOLLOWING : Relation.REQUESTED };
  });
}
