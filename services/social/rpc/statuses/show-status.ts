import type { SocialContext } from "../../context.ts";
import { checkReadable } from "../../domain/check-readable.ts";
import { blockedByUser, protectedStatuses, unknownStatus, unreadable } from "../../domain/errors.ts";
import type { StatusKey } from "../../store/statuses/find-status.ts";
import { loadStatus } from "../../store/statuses/load-status.ts";
import { statusWithUser } from "../../views/status-with-user.ts";

/**
 * One status with its user, as the viewer sees it, and the language that its author gave.
 * @throws NotFound for an unknown status; Unauthenticated or PermissionDenied when the viewer may not read it; PermissionDenied
 * `Suspended`
 */
export async function showStatus(ctx: SocialContext, key: StatusKey, viewer: bigint | undefined) {
  const row = await loadStatus(ctx.pool, key, viewer);
  if (row === undefined) throw unknownStatus();
  checkReadable(row, viewer, protectedStatuses);
  const isOfBlocker = row.original_blocks_viewer && row.user_id !== viewer;
  if (isOfBlocker) throw blockedByUser();
  if (row.is_restricted) throw unreadable(viewer, protectedStatuses);
  return { status: statusWithUser(row, viewer === undefined ? undefined : row), lang: row.status_lang ?? "" };
}
