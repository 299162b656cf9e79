import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelineRange } from "../../domain/timeline-cursor.ts";
import { type AuthoredRow, authoredColumns } from "../rows.ts";

/** Whose home it is, and whether on a cluster. */
export interface Home {
  userId: bigint;
  isCluster: boolean;
}

/**
 * Statuses of the user and of those whom the user follows, without muted and suspended authors: the newest before a position, or the
 * oldest from an id on. Follows and statuses are read as they are; nothing is stored for a home.
 *
 * On one server this is one statement, and only authors are looked at whose newest status may be on the page, by `last_status_id`.
 * Before a position these are all who have published since, and of the others the `limit` newest ones. Each of these has a status there,
 * so nothing older than the oldest of their newest statuses is on the page. From an id on these are the authors who have published since.
 * Where all users together have published little, as between two polls, they are found by that, and no other profile is read.
 *
 * On a cluster each shard is asked once for all of its authors: two steps would have two snapshots, and an author who is left out in the
 * first may be needed in the second.
 */
export async function listHome(
  db: Db,
  { userId, isCluster }: Home,
  range: TimelineRange,
  limit: number,
): Promise<AuthoredRow[]> {
  const followed = isCluster ? await listFollowed(db, userId) : userId;
  const { name, text } = statements[isCluster ? "cluster" : "server"]["before" in range ? "before" : "from"];
  const values = "before" in range ? [range.before.id, limit, range.before.authorId] : [range.from, limit];
  const { rows } = await db.query<AuthoredRow>({ name, text, values: [followed, ...values] });
  return rows;
}

const followed = `
  select user_id from social.follow
  where follower_id = $1 and not exists (select from social.mute where muter_id = $1 and mute.user_id = follow.user_id)
  union all select $1::bigint`;

/** The user and the users whom the user follows, without muted ones. */
export async function listFollowed(db: Db, userId: bigint): Promise<bigint[]> {
  const { rows } = await db.query<{ user_id: bigint }>({ name: "list-followed", text: followed, values: [userId] });
  return rows.map((row) => row.user_id);
}

const ranges = {
  before: { condition: "and (id, author_id) < ($2, $4)", order: "desc" },
  from: { condition: "", order: "asc" },
};

/** @param authors a relation with the user ids of authors, none of whom is suspended, and `first`, the smallest id to read */
function select(authors: string, { condition, order }: (typeof ranges)["before"]): string {
  return `select ${authoredColumns}
          from ${authors} cross join lateral (
            select * from social.status
            where author_id = author.user_id and id >= first and not withheld ${condition}
            order by id ${order} limit $3
          ) as status join social.profile on profile.user_id = status.author_id
          order by status.id ${order}, status.author_id ${order} limit $3`;
}

const beforeOnServer = `
  with followed as materialized (
    select user_id, last_status_id from social.profile where user_id in (${followed}) and not suspended
  ), newest as materialized (
    select user_id, last_status_id from followed where last_status_id < $2 order by last_status_id desc, user_id desc limit $3
  ), bound as (
    select case count(*) when $3 then min(last_status_id) else 0 end as first from newest
  )
  ${select(
    `(
      select user_id, first from bound,
        lateral (select user_id from newest union all select user_id from followed where last_status_id >= $2) as author
    ) as author`,
    ranges.before,
  )}`;

/** With fewer statuses of all users than this their authors are known, and no others are looked at. */
const maxPublished = 100;

// The id is a row: for a parameter Postgres would expect few statuses, and plan anew each time, which takes as long as to run.
const fromOnServer = `
  with start as materialized (
    select $2::bigint as first
  ), published as materialized (
    select author_id from social.status where id >= (select first from start) order by id limit ${maxPublished}
  )
  ${select(
    `(
      select user_id, first from start, social.profile where user_id in (
        select user_id from (${followed}) as followed
        where (select count(*) from published) = ${maxPublished} or user_id in (select author_id from published)
      ) and not suspended and last_status_id >= first
    ) as author`,
    ranges.from,
  )}`;

function authorsOfCluster(first: string): string {
  return `(
    select user_id, ${first} as first from social.profile where user_id = any ($1::bigint[]) and not suspended
  ) as author`;
}

const statements = {
  server: {
    before: { name: "list-home-before", text: beforeOnServer },
    from: { name: "list-home-from", text: fromOnServer },
  },
  cluster: {
    before: { name: "list-home-of-cluster-before", text: select(authorsOfCluster("0"), ranges.before) },
    from: { name: "list-home-of-cluster-from", text: select(authorsOfCluster("$2::bigint"), ranges.from) },
  },
};
