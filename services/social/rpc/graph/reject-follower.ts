import { GraphService, type RejectFollowerRequest } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { assertingNothing } from "../../domain/subjects.ts";
import { deleteFollowRequest } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Rejects a request to follow; a user who follows already stays a follower. */
export function rejectFollower(ctx: SocialContext, request: RejectFollowerRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.rejectFollower, request, userId, [followerId], async (write) => {
    await withPair(write, request);
    await deleteFollowRequest(write.db, followerId, userId);
    return assertingNothing("requests to follow are shown to a viewer only", {});
  });
}
