import { type ApproveFollowerRequest, GraphService } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { hasFollowRequest, insertFollow, isFollowing } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Grants a request to follow; one that was granted already stays so. */
export function approveFollower(ctx: SocialContext, request: ApproveFollowerRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.approveFollower, request, [userId, followerId], async (db) => {
    await withPair(db, request);
    if (!(await isFollowing(db, followerId, userId))) {
      const isAsked = await hasFollowRequest(db, followerId, userId);
      if (!isAsked) throw failedPrecondition("That user has not asked to follow.");
      await insertFollow(db, followerId, userId);
    }
    return {};
  });
}
