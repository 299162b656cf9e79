import type { Db } from "../../../platform/postgres/pool.ts";
import { insertFollow, insertFollowRequest } from "../../store/graph/follows.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";

/** Makes a user follow another; a protected one is asked first. Returns whether the user follows now. */
export async function beginFollow(db: Db, follower: LockedProfile, user: LockedProfile): Promise<boolean> {
  if (user.protected) return insertFollowRequest(db, follower.user_id, user.user_id);
  await insertFollow(db, follower.user_id, user.user_id);
  return true;
}
