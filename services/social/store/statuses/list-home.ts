import { batchCalls } from "../../../platform/batch-calls.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelineRange } from "../../domain/timeline-cursor.ts";
import { type AuthoredRow, authoredColumns } from "../rows.ts";

/** Lists statuses of a user's home: the newest before a position, or the oldest from an id on. */
export type ListHome = (userId: bigint, range: TimelineRange, limit: number) => Promise<AuthoredRow[]>;

/**
 * The statuses of users and of those whom they follow, without muted and suspended authors. Follows and statuses are read as they are;
 * nothing is stored for a home.
 *
 * On one server this is one statement for all homes that are read at the same time, and only authors are looked at whose newest status may
 * be on the page, by `last_status_id`. Before a position these are all who have published since, and of the others the `limit` newest ones.
 * Each of these has a status there, so nothing older than the oldest of their newest statuses is on the page. On a cluster each shard is
 * asked once for all authors of one home: two steps would have two snapshots, and an author who is left out in the first may be needed in
 * the second.
 */
export function createListHome(db: Db, isCluster: () => Promise<boolean>): ListHome {
  const listBefore = batchCalls(listHomes(db, "list-home-before", beforeOnServer, ranges.before), homesInStatement);
  const listFrom = batchCalls(listHomes(db, "list-home-from", fromOnServer, ranges.from), homesInStatement);
  return async (userId, range, limit) => {
    const isBefore = "before" in range;
    const after = isBefore ? range.before : { id: range.from, authorId: 0n };
    if (!(await isCluster())) return (isBefore ? listBefore : listFrom)({ userId, limit, ...after });
    const { rows } = await db.query<AuthoredRow>({
      ...(isBefore ? beforeOnCluster : fromOnCluster),
      values: [await listFollowed(db, userId), after.id, after.authorId, limit],
    });
    return rows;
  };
}

/** Few, so that no home waits long for larger ones; several statements at once, so that it waits for few of them. */
const homesInStatement = { maxSize: 8, maxConcurrent: 3 };

/** A home from a position on. */
interface HomePart {
  userId: bigint;
  id: bigint;
  authorId: bigint;
  limit: number;
}

interface Range {
  condition: string;
  order: "asc" | "desc";
}

/** By the position `asked`. */
const ranges = {
  before: { condition: "(id, author_id) < (asked.id, asked.author)", order: "desc" },
  from: { condition: "id >= asked.id", order: "asc" },
} as const;

/** @param authors the home of `asked.reader`, as for `select` */
function listHomes(db: Db, name: string, authors: string, range: Range) {
  const text = `
    select place, home.* from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
      with ordinality as asked (reader, id, author, size, place)
    cross join lateral (${select(authors, range)}) as home
    order by place, home.id ${range.order}, home."authorId" ${range.order}`;
  return async (parts: readonly HomePart[]): Promise<AuthoredRow[][]> => {
    const { rows } = await db.query<AuthoredRow & { place: bigint }>({
      name,
      text,
      values: [
        parts.map(({ userId }) => userId),
        parts.map(({ id }) => id),
        parts.map(({ authorId }) => authorId),
        parts.map(({ limit }) => limit),
      ],
    });
    const homes: AuthoredRow[][] = parts.map(() => []);
    for (const row of rows) homes[Number(row.place) - 1]?.push(row);
    return homes;
  };
}

/** @param authors a relation with the user ids of authors, none of whom is suspended, and `first`, the smallest id to read */
function select(authors: string, { condition, order }: Range): string {
  return `select ${authoredColumns}
          from ${authors} cross join lateral (
            select * from social.status
            where author_id = author.user_id and not withheld and ${condition} and id >= first
            order by id ${order} limit asked.size
          ) as status join social.profile on profile.user_id = status.author_id
          order by status.id ${order}, status.author_id ${order} limit asked.size`;
}

/** @param user an expression for the user's id */
function followedBy(user: string): string {
  return `
  select user_id from social.follow
  where follower_id = ${user}
    and not exists (select from social.mute where muter_id = ${user} and mute.user_id = follow.user_id)
  union all select ${user}`;
}

/** The user and the users whom the user follows, without muted ones. */
export async function listFollowed(db: Db, userId: bigint): Promise<bigint[]> {
  const { rows } = await db.query<{ user_id: bigint }>({
    name: "list-followed",
    text: followedBy("$1::bigint"),
    values: [userId],
  });
  return rows.map((row) => row.user_id);
}

// Profiles are looked up one by one: without "offset 0" Postgres may read all that there are.
const authors = `
  (${followedBy("asked.reader")}) as followed cross join lateral (
    select user_id, last_status_id from social.profile where user_id = followed.user_id and not suspended offset 0
  ) as author`;

const beforeOnServer = `(
  with followed as materialized (
    select author.user_id, last_status_id from ${authors}
  ), newest as materialized (
    select user_id, last_status_id from followed where last_status_id < asked.id
    order by last_status_id desc, user_id desc limit asked.size
  ), bound as (
    select case count(*) when asked.size then min(last_status_id) else 0 end as first from newest
  )
  select user_id, first from bound,
    lateral (select user_id from newest union all select user_id from followed where last_status_id >= asked.id) as author
) as author`;

const fromOnServer = `(
  select author.user_id, 0 as first from ${authors} where last_status_id >= asked.id
) as author`;

const authorsOfCluster = `
  (select user_id, 0 as first from social.profile where user_id = any ($1::bigint[]) and not suspended) as author`;

/** The same for one home, whose authors are given. */
function onCluster(name: string, range: Range) {
  const text = select(authorsOfCluster, range)
    .replaceAll("asked.id", "$2::bigint")
    .replaceAll("asked.author", "$3::bigint")
    .replaceAll("asked.size", "$4::bigint");
  return { name, text };
}

const beforeOnCluster = onCluster("list-home-of-cluster-before", ranges.before);
const fromOnCluster = onCluster("list-home-of-cluster-from", ranges.from);
