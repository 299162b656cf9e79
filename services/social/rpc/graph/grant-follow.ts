import type { Db } from "../../../platform/postgres/pool.ts";
import { hasFollowRequest, insertFollow, isFollowing } from "../../store/graph/follows.ts";

/** Grants a request to follow; one that was granted already stays so. False when that user has not asked. */
export async function grantFollow(db: Db, followerId: bigint, userId: bigint): Promise<boolean> {
  if (await isFollowing(db, followerId, userId)) return true;
  if (!(await hasFollowRequest(db, followerId, userId))) return false;
  await insertFollow(db, followerId, userId);
  return true;
}
