import type { Db } from "../../../platform/postgres/pool.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";
import { deleteStatuses, uncountReposts } from "../../store/statuses/delete-statuses.ts";
import type { StatusKey } from "../../store/statuses/find-status.ts";
import { findRepost } from "../../store/statuses/reposts.ts";
import { noteUndone } from "./undone-reposts.ts";

/** Deletes a user's repost of a status, if there is one; the rows of both authors are locked. */
export async function deleteRepost(db: Db, user: LockedProfile, key: StatusKey): Promise<void> {
  const id = await findRepost(db, user.user_id, key);
  if (id === undefined) return;
  const deleted = await deleteStatuses(db, [{ authorId: user.user_id, id }]);
  await uncountReposts(db, deleted);
  await noteUndone(db, user, deleted);
}
