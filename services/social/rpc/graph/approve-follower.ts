import { type ApproveFollowerRequest, GraphService } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { asserting, authorSubject } from "../../domain/subjects.ts";
import { hasFollowRequest, insertFollow, isFollowing } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Grants a request to follow; one that was granted already stays so. */
export function approveFollower(ctx: SocialContext, request: ApproveFollowerRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.approveFollower, request, userId, [followerId], async (write) => {
    const { db } = write;
    const { follower, user } = await withPair(write, request);
    const answer = asserting([authorSubject(user), authorSubject(follower)], {});
    if (await isFollowing(db, followerId, userId)) return answer;
    if (!(await hasFollowRequest(db, followerId, userId))) {
      throw failedPrecondition("That user has not asked to follow.");
    }
    await insertFollow(db, followerId, userId);
    return answer;
  });
}
