import { GraphService, type RemoveFollowerRequest } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteFollow } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Ends another user's follow, or request to follow. */
export function removeFollower(ctx: SocialContext, request: RemoveFollowerRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.removeFollower, request, [userId, followerId], async (db) => {
    await withPair(db, request);
    await deleteFollow(db, followerId, userId);
    return {};
  });
}
