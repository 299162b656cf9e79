import type { Db } from "../../../platform/postgres/pool.ts";
import { blockBetween } from "../../domain/errors.ts";
import { isBlockBetween } from "../../store/graph/blocks.ts";
import { insertFollow, insertFollowRequest } from "../../store/graph/follows.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";

/**
 * Makes a user follow another, or ask to follow when the other is protected.
 * @throws PermissionDenied when one of them blocks the other
 */
export async function beginFollow(db: Db, follower: LockedProfile, user: LockedProfile): Promise<void> {
  if (await isBlockBetween(db, follower.user_id, user.user_id)) throw blockBetween();
  await (user.protected ? insertFollowRequest : insertFollow)(db, follower.user_id, user.user_id);
}
