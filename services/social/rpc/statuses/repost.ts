import { type RepostRequest, StatusService } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { noRepostOfProtected } from "../../domain/errors.ts";
import { statusWithUser } from "../../views/status-with-user.ts";
import { writeOnce } from "../write-once.ts";
import { repostStatus } from "./repost-status.ts";
import { authorOf, withReadableStatus } from "./with-status.ts";

/** Reposts another user's status on a user's own timeline, once. A protected user's status cannot be reposted. */
export function repost(ctx: SocialContext, request: RepostRequest) {
  const { userId } = request;
  return writeOnce(ctx, StatusService.method.repost, request, [userId, ...authorOf(request)], async (db) => {
    const { key, status: original } = await withReadableStatus(db, request);
    if (original.protected) throw failedPrecondition(noRepostOfProtected);
    const row = await repostStatus(db, userId, key, original, ctx.config.statusLength);
    return { status: statusWithUser({ ...row, retweeted: true }) };
  });
}
