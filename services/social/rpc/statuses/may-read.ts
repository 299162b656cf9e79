import type { Db } from "../../../platform/postgres/pool.ts";
import { canRead } from "../../domain/can-read.ts";
import { blockedByUser, suspendedUser } from "../../domain/errors.ts";
import { getReader } from "../../store/graph/get-reader.ts";
import type { FoundStatus } from "../../store/statuses/find-status.ts";

/**
 * Whether a user may read a status, as this transaction sees it.
 * @throws PermissionDenied when its author has blocked the user, or the author of what it repeats, and `Suspended` when its
 * author is suspended
 */
export async function mayRead(db: Db, status: FoundStatus, userId: bigint): Promise<boolean> {
  if (status.user_id === userId) return true;
  if (status.suspended) throw suspendedUser();
  const reader = await getReader(db, userId, status.user_id);
  if (reader.blocks_viewer) throw blockedByUser();
  const { repost_of_author_id: original } = status;
  if (original !== null && (await getReader(db, userId, original)).blocks_viewer) throw blockedByUser();
  return canRead({ ...status, ...reader }, userId);
}
