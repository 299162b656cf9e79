import type { Db } from "../../../platform/postgres/pool.ts";
import { deleteStatuses, uncountReposts } from "../../store/statuses/delete-statuses.ts";
import type { StatusKey } from "../../store/statuses/find-status.ts";
import { findRepost } from "../../store/statuses/reposts.ts";

/** Deletes a user's repost of a status, if there is one; the rows of both authors are locked. */
export async function deleteRepost(db: Db, userId: bigint, key: StatusKey): Promise<void> {
  const id = await findRepost(db, userId, key);
  if (id === undefined) return;
  const deleted = await deleteStatuses(db, [{ authorId: userId, id }]);
  await uncountReposts(db, deleted);
}
