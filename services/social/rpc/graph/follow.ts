import { type FollowRequest, GraphService, Relation } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { asserting, authorSubject, viewerSubject } from "../../domain/subjects.ts";
import { writeOnce } from "../write-once.ts";
import { beginFollow } from "./begin-follow.ts";
import { withPair } from "./with-pair.ts";

/** Makes a user follow another, or ask to follow when the other is protected. */
export function follow(ctx: SocialContext, request: FollowRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.follow, request, followerId, [userId], async (tx) => {
    const { follower, user } = await withPair(tx, request);
    const isFollowing = await beginFollow(tx.db, follower, user);
    const relation = isFollowing ? Relation.FOLLOWING : Relation.REQUESTED;
    return asserting([authorSubject(follower), viewerSubject(follower)], { relation });
  });
}
