import type { Db } from "../../../platform/postgres/pool.ts";
import { canRead } from "../../domain/can-read.ts";
import { isFollowing } from "../../store/graph/follows.ts";
import type { FoundStatus } from "../../store/statuses/find-status.ts";

/** Whether a user may read a status, as this transaction sees it. */
export async function mayRead(db: Db, status: FoundStatus, userId: bigint): Promise<boolean> {
  const following = status.protected && (await isFollowing(db, userId, status.user_id));
  return canRead({ ...status, following }, userId);
}
