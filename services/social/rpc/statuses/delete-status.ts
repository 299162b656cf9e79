import { type DeleteStatusRequest, StatusService } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { writeOnce } from "../write-once.ts";
import { finishRemoval, removeStatuses } from "./remove-statuses.ts";

/** Deletes a status, with the marks and reposts of it. */
export async function deleteStatus(ctx: SocialContext, request: DeleteStatusRequest) {
  const { authorId, id } = request;
  const answer = await writeOnce(ctx, StatusService.method.deleteStatus, request, [authorId], async (db) => {
    await removeStatuses(db, authorId, [id]);
    return {};
  });
  // Also for a repeated request: its first attempt may have been interrupted here.
  await finishRemoval(ctx, authorId);
  return answer;
}
