import { Code, ConnectError } from "@connectrpc/connect";
import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { DeleteStatusRequest } from "../../../../proto/gen/social/people/v1/statuses_pb.ts";
import type { SocialContext } from "../../context.ts";
import { unknownStatus } from "../../domain/errors.ts";
import { finishRemoval, removeStatuses } from "../statuses/remove-statuses.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";

/** Deletes one of the actor's own statuses, with its marks and reposts. Any other status is unknown here. */
export async function deleteStatus(ctx: SocialContext, request: DeleteStatusRequest) {
  const { userId, id = 0n } = request;
  const method = PeopleService.method.deleteStatus;
  checkRequest(method.input, request);
  let answer;
  try {
    answer = await writeOnce(ctx, method, request, [userId], async (db) => {
      const removed = await removeStatuses(db, userId, [id]);
      if (removed.length === 0) throw unknownStatus();
      return {};
    });
  } catch (error) {
    // An earlier attempt may have deleted the status and been interrupted before the next step.
    if (error instanceof ConnectError && error.code === Code.NotFound) await finishRemoval(ctx, userId);
    throw error;
  }
  // Also for a repeated request, for the same reason.
  await finishRemoval(ctx, userId);
  return answer;
}
