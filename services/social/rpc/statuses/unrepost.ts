import { StatusService, type UnrepostRequest } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { writeOnce } from "../write-once.ts";
import { deleteRepost } from "./delete-repost.ts";
import { authorOf, withStatus } from "./with-status.ts";

/** Deletes a user's repost of a status. Without one, nothing changes. */
export function unrepost(ctx: SocialContext, request: UnrepostRequest) {
  const { userId } = request;
  return writeOnce(ctx, StatusService.method.unrepost, request, [userId, ...authorOf(request)], async (db) => {
    const { key } = await withStatus(db, request);
    await deleteRepost(db, userId, key);
    return {};
  });
}
