import type { Db } from "../../../platform/postgres/pool.ts";
import { canRead } from "../../domain/can-read.ts";
import { blockedByUser, suspendedUser, unknownStatus } from "../../domain/errors.ts";
import { getReader } from "../../store/graph/get-reader.ts";
import type { FoundStatus } from "../../store/statuses/find-status.ts";

/**
 * Whether a user may read a status, as this transaction sees it. A repost of a protected author is for readers of that author
 * only, even for the user who made it.
 * @throws NotFound for a repost of a suspended author; PermissionDenied when the status's author, or the author of what it
 * repeats, has blocked the user; PermissionDenied `Suspended` when its author is suspended
 */
export async function mayRead(db: Db, status: FoundStatus, userId: bigint): Promise<boolean> {
  if (status.withheld) throw unknownStatus();
  const { repost_of_author_id: original } = status;
  const ofOriginal = original === null || original === userId ? undefined : await getReader(db, userId, original);
  const isRestricted = status.restricted && ofOriginal?.following === false;
  if (status.user_id === userId) return !isRestricted;
  if (status.suspended) throw suspendedUser();
  const reader = await getReader(db, userId, status.user_id);
  if (reader.blocks_viewer || ofOriginal?.blocks_viewer) throw blockedByUser();
  return !isRestricted && canRead({ ...status, ...reader }, userId);
}
