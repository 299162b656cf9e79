import { StatusService, type UnrepostRequest } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { asserting, authorSubject, viewerSubject } from "../../domain/subjects.ts";
import { writeOnce } from "../write-once.ts";
import { deleteRepost } from "./delete-repost.ts";
import { authorOf, withStatus } from "./with-status.ts";

/** Deletes a user's repost of a status. Without one, nothing changes. */
export function unrepost(ctx: SocialContext, request: UnrepostRequest) {
  const { userId } = request;
  return writeOnce(ctx, StatusService.method.unrepost, request, userId, authorOf(request), async (tx) => {
    const { db, key, user } = await withStatus(tx, request);
    await deleteRepost(db, user, key);
    return asserting([authorSubject(user), viewerSubject(user)], {});
  });
}
