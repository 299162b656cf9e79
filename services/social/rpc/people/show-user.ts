import type { Db } from "../../../platform/postgres/pool.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";
import { shownUsers } from "../shown-users.ts";

/** The answer of a write between an actor and a user, whose rows are locked: the user as the actor sees them now. */
export async function showUser(db: Db, actor: LockedProfile, user: LockedProfile) {
  const rows = await listProfiles(db, [user.user_id], [], actor.user_id);
  return { results: shownUsers(rows, actor.user_id) };
}
