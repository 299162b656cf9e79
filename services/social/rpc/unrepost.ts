import { create } from "@bufbuild/protobuf";
import { type UnrepostRequest, UnrepostResponseSchema } from "../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../context.ts";
import { countRepost, deleteStatus, findRepost } from "../store/reposts.ts";
import { withStatus } from "./with-status.ts";

/** Takes a user's repost of a status off the timeline; where there is none, nothing changes. */
export async function unrepost(ctx: SocialContext, request: UnrepostRequest) {
  await withStatus(ctx, request, async (db, key) => {
    const id = await findRepost(db, request.userId, key);
    if (id === undefined) return;
    await deleteStatus(db, { authorId: request.userId, id });
    await countRepost(db, key, -1);
  });
  return create(UnrepostResponseSchema);
}
