import { GraphService, type UnfollowRequest } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteFollow } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Ends a user's follow, or request to follow. */
export function unfollow(ctx: SocialContext, request: UnfollowRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.unfollow, request, [followerId, userId], async (db) => {
    await withPair(db, request);
    await deleteFollow(db, followerId, userId);
    return {};
  });
}
