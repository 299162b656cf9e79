import { GraphService, type RejectFollowerRequest } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteFollowRequest } from "../../store/graph/follows.ts";
import { advanceViewer } from "../../store/profiles/advance-viewer.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Rejects a request to follow; a user who follows already stays a follower. */
export function rejectFollower(ctx: SocialContext, request: RejectFollowerRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.rejectFollower, request, [userId, followerId], async (db) => {
    await withPair(db, request);
    if (await deleteFollowRequest(db, followerId, userId)) await advanceViewer(db, followerId);
    return {};
  });
}
