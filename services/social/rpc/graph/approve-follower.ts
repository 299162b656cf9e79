import { type ApproveFollowerRequest, GraphService } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { asserting, authorSubject, viewerSubject } from "../../domain/subjects.ts";
import { writeOnce } from "../write-once.ts";
import { grantFollow } from "./grant-follow.ts";
import { withPair } from "./with-pair.ts";

/** Grants a request to follow; one that was granted already stays so. */
export function approveFollower(ctx: SocialContext, request: ApproveFollowerRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.approveFollower, request, userId, [followerId], async (write) => {
    const { follower, user } = await withPair(write, request);
    const isGranted = await grantFollow(write.db, followerId, userId);
    if (!isGranted) throw failedPrecondition("That user has not asked to follow.");
    return asserting([authorSubject(user), authorSubject(follower), viewerSubject(follower)], {});
  });
}
