import { GraphService, type RemoveFollowerRequest } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { asserting, authorSubject, viewerSubject } from "../../domain/subjects.ts";
import { deleteFollow } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Ends another user's follow, or request to follow. */
export function removeFollower(ctx: SocialContext, request: RemoveFollowerRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.removeFollower, request, userId, [followerId], async (tx) => {
    const { follower, user } = await withPair(tx, request);
    await deleteFollow(tx.db, followerId, userId);
    return asserting([authorSubject(user), authorSubject(follower), viewerSubject(follower)], {});
  });
}
