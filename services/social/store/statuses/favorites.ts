import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";

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

/** A position in a user's favourites: when the mark was made, in microseconds since 1970, and what it marks. */
export interface FavoritePosition extends StatusKey {
  at: bigint;
}

/** The favourites of a user after a position, the newest mark first. */
export async function listFavorites(
  db: Db,
  userId: bigint,
  after: FavoritePosition | undefined,
  limit: number,
): Promise<FavoritePosition[]> {
  // Whole microseconds, as in Postgres: a Date would lose three digits, and the position with them.
  const { rows } = await db.query<FavoritePosition>({
    name: "list-favorites",
    text: `select (extract(epoch from created_at) * 1000000)::bigint as at, author_id as "authorId", status_id as id
           from social.favorite
           where user_id = $1 and (created_at, author_id, status_id) < (
             coalesce(timestamptz 'epoch' + $2::bigint * interval '1 microsecond', 'infinity'), coalesce($3::bigint, 0),
             coalesce($4::bigint, 0))
           order by created_at desc, author_id desc, status_id desc limit $5`,
    values: [userId, after?.at ?? null, after?.authorId ?? null, after?.id ?? null, limit],
  });
  return rows;
}
