import { create } from "@bufbuild/protobuf";
import { type UnfollowRequest, UnfollowResponseSchema } from "../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../context.ts";
import { deleteFollow } from "../store/follows.ts";
import { withPair } from "./with-pair.ts";

/** Ends that a user follows another, or has asked to. */
export async function unfollow(ctx: SocialContext, request: UnfollowRequest) {
  await withPair(ctx, request, (db) => deleteFollow(db, request.followerId, request.userId));
  return create(UnfollowResponseSchema);
}
