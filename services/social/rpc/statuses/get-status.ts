import { create } from "@bufbuild/protobuf";
import { type GetStatusRequest, GetStatusResponseSchema } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { canRead } from "../../domain/can-read.ts";
import { missingStatus, protectedStatuses, unknownStatus, unreadable } from "../../domain/errors.ts";
import { loadStatus } from "../../store/statuses/load-status.ts";
import { statusWithUser } from "../../views/status-with-user.ts";

/** Shows one status with its user, for a viewer who may read the user's timeline. */
export async function getStatus(ctx: SocialContext, request: GetStatusRequest, viewer: bigint | undefined) {
  if (request.status === undefined) throw missingStatus();
  const row = await loadStatus(ctx.pool, request.status, viewer);
  if (row === undefined) throw unknownStatus();
  if (!canRead(row, viewer)) throw unreadable(viewer, protectedStatuses);
  const status = statusWithUser(row, viewer === undefined ? undefined : row);
  return create(GetStatusResponseSchema, { status, lang: row.status_lang ?? "" });
}
