import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";

/** The marks and reposts that are left of deleted statuses. */
interface Leftovers {
  /** Marks of them. */
  favorites: { userId: bigint; statusId: bigint }[];
  /** Reposts of them. */
  reposts: (StatusKey & { statusId: bigint })[];
}

/** Up to `maxRemoved` removed statuses of an author. */
export async function listRemoved(db: Db, authorId: bigint): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>({
    name: "list-removed",
    text: `select id from social.removed_status where author_id = $1 order by id limit $2`,
    values: [authorId, maxRemoved],
  });
  return rows.map((row) => row.id);
}

/** Up to `limit` favourites and as many reposts of these statuses, on any shard. */
export async function listLeftovers(
  db: Db,
  authorId: bigint,
  statusIds: readonly bigint[],
  limit: number,
): Promise<Leftovers> {
  if (statusIds.length === 0) return { favorites: [], reposts: [] };
  const { rows } = await db.query<{ user_id: bigint; status_id: bigint; repost_id: bigint | null }>({
    name: "list-leftovers",
    text: `(select user_id, status_id, null::bigint as repost_id from social.favorite
            where author_id = $1 and status_id = any ($2::bigint[]) limit $3)
           union all
           (select author_id, repost_of_id, id from social.status
            where repost_of_author_id = $1 and repost_of_id = any ($2::bigint[]) limit $3)`,
    values: [authorId, statusIds, limit],
  });
  return {
    favorites: rows.flatMap((row) =>
      row.repost_id === null ? [{ userId: row.user_id, statusId: row.status_id }] : [],
    ),
    reposts: rows.flatMap((row) =>
      row.repost_id === null ? [] : [{ authorId: row.user_id, id: row.repost_id, statusId: row.status_id }],
    ),
  };
}

/** How many removed statuses one step handles. */
export const maxRemoved = 100;

/**
 * Which of these statuses are still listed as removed. They stay listed until the transaction ends, so that none of them can be
 * imported again meanwhile and get new marks.
 */
export async function lockRemoved(db: Db, authorId: bigint, ids: readonly bigint[]): Promise<Set<bigint>> {
  const { rows } = await db.query<{ id: bigint }>({
    name: "hold-removed",
    text: `select id from social.removed_status where author_id = $1 and id = any ($2::bigint[]) order by id for share`,
    values: [authorId, ids],
  });
  return new Set(rows.map((row) => row.id));
}

/** Deletes marks of an author's statuses and updates the counters of their users, whose rows are locked. */
export async function deleteFavorites(db: Db, authorId: bigint, marks: Leftovers["favorites"]): Promise<void> {
  await db.query({
    name: "delete-favorites",
    text: `with gone as (
             delete from social.favorite using unnest($2::bigint[], $3::bigint[]) as mark (marker, marked)
             where user_id = marker and author_id = $1 and status_id = marked
             returning user_id
           ), counted as (
             select user_id, count(*) as marks from gone group by user_id
           )
           update social.profile set
             favourites_count = greatest(favourites_count - marks, 0), counters_version = counters_version + 1,
             viewer_version = viewer_version + 1
           from counted where profile.user_id = counted.user_id`,
    values: [authorId, marks.map((mark) => mark.userId), marks.map((mark) => mark.statusId)],
  });
}

/** Deletes an author's marks of own statuses and updates the author's counters; the author's row is locked. On one shard, unlike those of others. */
export async function deleteOwnFavorites(db: Db, authorId: bigint, statusIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: "delete-own-favorites",
    text: `with gone as (
             delete from social.favorite where user_id = $1 and author_id = $1 and status_id = any ($2::bigint[]) returning 1
           ), counted as (
             select count(*) as marks from gone
           )
           update social.profile set
             favourites_count = greatest(favourites_count - marks, 0), counters_version = counters_version + 1,
             viewer_version = viewer_version + 1
           from counted where profile.user_id = $1 and marks > 0`,
    values: [authorId, statusIds],
  });
}

/** Deletes the entries of removed statuses of which nothing is left. */
export async function deleteRemoved(db: Db, authorId: bigint, ids: readonly bigint[]): Promise<void> {
  await db.query({
    name: "delete-removed",
    text: `delete from social.removed_status where author_id = $1 and id = any ($2::bigint[])`,
    values: [authorId, ids],
  });
}

/**
 * Authors with a removed status of which something has been left for longer than `seconds`. At most 100, at random, so that an author whose
 * deletion fails each time does not delay the others.
 */
export async function listUnfinished(db: Db, seconds: number): Promise<bigint[]> {
  const { rows } = await db.query<{ author: bigint }>({
    name: "list-unfinished",
    text: `select author from (
             select distinct author_id as author from social.removed_status
             where removed_at < now() - make_interval(secs => $1)
           ) as unfinished order by random() limit 100`,
    values: [seconds],
  });
  return rows.map((row) => row.author);
}
