import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "./find-status.ts";

/** The marks and reposts that are left of deleted statuses. */
interface Leftovers {
  /** Other users' marks of them. */
  favorites: { userId: bigint; statusId: bigint }[];
  /** Other users' reposts of them. */
  reposts: (StatusKey & { statusId: bigint })[];
}

/** Up to 100 removed statuses of an author, and up to `limit` deleted reposts of such. */
export async function listRemoved(db: Db, authorId: bigint, limit: number) {
  const { rows } = await db.query<{ id: bigint; screen_name: string | null }>({
    name: "list-removed",
    text: `(select id, null as screen_name from social.removed_status where author_id = $1 order by id limit $2)
           union all
           (select id, screen_name from social.undone_repost where author_id = $1 order by id limit $3)`,
    values: [authorId, maxRemoved, limit],
  });
  return {
    removed: rows.flatMap(({ id, screen_name }) => (screen_name === null ? [id] : [])),
    undone: rows.flatMap(({ id, screen_name }) => (screen_name === null ? [] : [{ id, screen_name }])),
  };
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

/** A user whose repost of an author's status was deleted. */
export interface UndoneRepost {
  /** The author of the status. */
  authorId: bigint;
  /** The name of the user. */
  screenName: string;
}

/** Notes such users until they are announced; returns the ids of the entries. Once for each author and name is enough. */
export async function insertUndoneReposts(db: Db, reposts: readonly UndoneRepost[]): Promise<bigint[]> {
  if (reposts.length === 0) return [];
  const { rows } = await db.query<{ id: bigint }>({
    name: "insert-undone-reposts",
    text: `insert into social.undone_repost (author_id, screen_name)
           select distinct author, name from unnest($1::bigint[], $2::text[]) as undone (author, name) returning id`,
    values: [reposts.map((repost) => repost.authorId), reposts.map((repost) => repost.screenName)],
  });
  return rows.map((row) => row.id);
}

/** Deletes entries that were announced: each is of an author, and has an id. */
export async function deleteUndoneReposts(db: Db, entries: readonly { authorId: bigint; id: bigint }[]): Promise<void> {
  if (entries.length === 0) return;
  const authors = entries.map((entry) => entry.authorId);
  await db.query({
    name: "delete-undone-reposts",
    text: `delete from social.undone_repost using unnest($1::bigint[], $2::bigint[]) as announced (author, entry)
           where author_id = author and id = entry and author_id = any ($3::bigint[])`,
    values: [authors, entries.map((entry) => entry.id), [...new Set(authors)]],
  });
}

/** The names of those who are noted for an author. */
export async function listUndoneReposts(db: Db, authorId: bigint): Promise<{ screen_name: string }[]> {
  const { rows } = await db.query<{ screen_name: string }>({
    name: "list-undone-reposts",
    text: `select distinct screen_name from social.undone_repost where author_id = $1`,
    values: [authorId],
  });
  return rows;
}

/** Up to `limit` entries of any authors. */
export async function listAllUndoneReposts(db: Db, limit: number) {
  const { rows } = await db.query<{ author_id: bigint; id: bigint; screen_name: string }>({
    name: "list-all-undone-reposts",
    text: `select author_id, id, screen_name from social.undone_repost order by author_id, id limit $1`,
    values: [limit],
  });
  return rows;
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
