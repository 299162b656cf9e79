import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import type { LockedProfile } from "../profiles/lock-profiles.ts";

/** The id of a user's repost of a status, or undefined. */
export async function findRepost(db: Db, userId: bigint, { authorId, id }: StatusKey): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>({
    name: "find-repost",
    text: `select id from social.status where author_id = $1 and repost_of_author_id = $2 and repost_of_id = $3`,
    values: [userId, authorId, id],
  });
  return rows[0]?.id;
}

/** Counts one more repost of a status, whose author's row is locked. */
export async function countRepost(db: Db, { authorId, id }: StatusKey): Promise<void> {
  await db.query({
    name: "count-repost",
    text: `with counted as (
             update social.status set retweet_count = least(retweet_count, 2147483646) + 1
             where author_id = $1 and id = $2 returning 1
           )
           update social.profile set counters_version = counters_version + 1
           where user_id = $1 and exists (select from counted)`,
    values: [authorId, id],
  });
}

/** Users who have reposted an author, in ascending order. */
interface Reposters {
  ids: bigint[];
  /** Whether there are none after them. */
  isEnd: boolean;
}

/**
 * Some users after this one who have reposted an author, at least one if there is one.
 * @param limit how many users, and how many of their reposts are looked at
 */
export async function listReposters(
  db: Db,
  authorId: bigint,
  afterUserId: bigint,
  limit: { users: number; reposts: number },
): Promise<Reposters> {
  const { rows } = await db.query<{ reposter: bigint }>({
    name: "list-reposters",
    text: `select author_id as reposter from social.status
           where repost_of_author_id = $1 and repost_of_id is not null and author_id > $2
           order by author_id limit $3`,
    values: [authorId, afterUserId, limit.reposts],
  });
  const all = [...new Set(rows.map((row) => row.reposter))];
  const isEnd = rows.length < limit.reposts && all.length <= limit.users;
  // There may be more reposts of the last one.
  if (rows.length === limit.reposts && all.length > 1) all.pop();
  return { ids: all.slice(0, limit.users), isEnd };
}

/** The state of an author that marks of reposts follow. */
export type MarkedAuthor = Pick<LockedProfile, "user_id" | "suspended" | "protected">;

/** The result of marking. */
interface Marked {
  /** The users of whom a repost was changed. */
  reposterIds: bigint[];
  /** Whether all reposts of the given users are marked now. */
  isAll: boolean;
}

/**
 * Marks these users' reposts of an author, at most `limit` of them: withheld when the author is suspended, restricted when protected,
 * otherwise shown.
 */
export async function markReposts(
  db: Db,
  author: MarkedAuthor,
  reposterIds: readonly bigint[],
  limit: number,
): Promise<Marked> {
  const values = [author.user_id, author.suspended, author.protected, reposterIds];
  const { rows } = await db.query<{ reposter: bigint; id: bigint }>({
    name: "list-reposts-to-mark",
    text: `select author_id as reposter, id from social.status where ${isToMark} limit $5`,
    values: [...values, limit],
  });
  // Combines each id with each user: any other status that matches has to be marked as well.
  if (rows.length > 0)
    await db.query({
      name: "mark-reposts",
      text: `update social.status set withheld = $2, restricted = $3 where ${isToMark} and id = any ($5::bigint[])`,
      values: [...values, rows.map(({ id }) => id)],
    });
  return { reposterIds: [...new Set(rows.map(({ reposter }) => reposter))], isAll: rows.length < limit };
}

const isMarkedWrongly =
  "repost_of_author_id = $1 and repost_of_id is not null and (withheld <> $2 or restricted <> $3)";
const isToMark = `${isMarkedWrongly} and author_id = any ($4::bigint[])`;

/** Whether any repost of an author is marked otherwise than markReposts would. */
export async function isAnyToMark(db: Db, author: MarkedAuthor): Promise<boolean> {
  const { rows } = await db.query({
    name: "find-repost-to-mark",
    // In the order of the index, since Postgres may read the whole table when it expects to find one soon.
    text: `select author_id from social.status
           where ${isMarkedWrongly}
           order by author_id limit 1`,
    values: [author.user_id, author.suspended, author.protected],
  });
  return rows.length > 0;
}

/**
 * Determines the newest statuses of these users, whose rows are locked, again: some were hidden or shown.
 * @param areRemoved whether readers have seen statuses that are hidden now
 */
export async function renewTimelines(db: Db, userIds: readonly bigint[], areRemoved = false): Promise<void> {
  if (userIds.length === 0) return;
  await db.query({
    name: areRemoved ? "renew-timelines-removed" : "renew-timelines",
    text: `update social.profile set
             last_status_id = (
               select id from social.status where author_id = user_id and not withheld order by id desc limit 1),
             last_unrestricted_id = (
               select id from social.status where author_id = user_id and not withheld and not restricted
               order by id desc limit 1),
             content_version = content_version + 1${areRemoved ? ", removed_at = statement_timestamp()" : ""}
           where user_id = any ($1::bigint[])`,
    values: [userIds],
  });
}
