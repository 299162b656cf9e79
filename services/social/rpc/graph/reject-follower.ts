import { GraphService, type RejectFollowerRequest } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { asserting, viewerSubject } from "../../domain/subjects.ts";
import { deleteFollowRequest } from "../../store/graph/follows.ts";
import { advanceViewer } from "../../store/profiles/advance-viewer.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Rejects a request to follow; a user who follows already stays a follower. */
export function rejectFollower(ctx: SocialContext, request: RejectFollowerRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.rejectFollower, request, userId, [followerId], async (tx) => {
    const { follower } = await withPair(tx, request);
    if (await deleteFollowRequest(tx.db, followerId, userId)) await advanceViewer(tx.db, followerId);
    return asserting([viewerSubject(follower)], {});
  });
}
