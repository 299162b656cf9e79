import { GraphService, type UnfollowRequest } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { asserting, authorSubject, viewerSubject } from "../../domain/subjects.ts";
import { deleteFollow } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Ends a user's follow, or request to follow. */
export function unfollow(ctx: SocialContext, request: UnfollowRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.unfollow, request, followerId, [userId], async (tx) => {
    const { follower } = await withPair(tx, request);
    await deleteFollow(tx.db, followerId, userId);
    return asserting([authorSubject(follower), viewerSubject(follower)], {});
  });
}
