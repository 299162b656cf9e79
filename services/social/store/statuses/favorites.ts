import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "./find-status.ts";

/** Marks a status as a user's favourite and counts it, once. */
export async function insertFavorite(db: Db, userId: bigint, status: StatusKey): Promise<void> {
  await db.query({
    name: "insert-favorite",
    text: `with added as (
             insert into social.favorite (user_id, author_id, status_id) values ($1, $2, $3)
             on conflict do nothing returning 1
           )
           update social.profile set favourites_count = least(favourites_count, 2147483646) + 1,
             counters_version = counters_version + 1, viewer_version = viewer_version + 1
           where user_id = $1 and exists (select from added)`,
    values: [userId, status.authorId, status.id],
  });
}

/** Deletes the mark and updates the counter, once. */
export async function deleteFavorite(db: Db, userId: bigint, status: StatusKey): Promise<void> {
  await db.query({
    name: "delete-favorite",
    text: `with removed as (
             delete from social.favorite where user_id = $1 and author_id = $2 and status_id = $3 returning 1
           )
           update social.profile set favourites_count = greatest(favourites_count - 1, 0),
             counters_version = counters_version + 1, viewer_version = viewer_version + 1
           where user_id = $1 and exists (select from removed)`,
    values: [userId, status.authorId, status.id],
  });
}
