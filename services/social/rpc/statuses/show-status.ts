import type { SocialContext } from "../../context.ts";
import { canRead } from "../../domain/can-read.ts";
import { protectedStatuses, unknownStatus, unreadable } from "../../domain/errors.ts";
import type { StatusKey } from "../../store/statuses/find-status.ts";
import { loadStatus } from "../../store/statuses/load-status.ts";
import { statusWithUser } from "../../views/status-with-user.ts";

/**
 * One status with its user, as the viewer sees it, and the language that its author gave.
 * @throws NotFound for an unknown status; Unauthenticated or PermissionDenied when the viewer may not read it
 */
export async function showStatus(ctx: SocialContext, key: StatusKey, viewer: bigint | undefined) {
  const row = await loadStatus(ctx.pool, key, viewer);
  if (row === undefined) throw unknownStatus();
  if (!canRead(row, viewer)) throw unreadable(viewer, protectedStatuses);
  return { status: statusWithUser(row, viewer === undefined ? undefined : row), lang: row.status_lang ?? "" };
}
