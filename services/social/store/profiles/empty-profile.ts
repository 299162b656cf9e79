import type { Db } from "../../../platform/postgres/pool.ts";

// Deletes the rows of a user whose profile was removed. None can be added any more: every write needs the profile.

/** Up to `limit` statuses of a user. */
export async function listStatusIds(db: Db, userId: bigint, limit: number): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>({
    name: "list-status-ids",
    text: `select id from social.status where author_id = $1 order by id limit $2`,
    values: [userId, limit],
  });
  return rows.map((row) => row.id);
}

/** Up to `limit` users who follow the user or whom the user follows. */
export async function listRelated(db: Db, userId: bigint, limit: number): Promise<bigint[]> {
  const { rows } = await db.query<{ other: bigint }>({
    name: "list-related",
    text: `(select user_id as other from social.follow where follower_id = $1 limit $2)
           union (select follower_id from social.follow where follow.user_id = $1 limit $2)`,
    values: [userId, limit],
  });
  return rows.map((row) => row.other);
}

/**
 * Ends the relations between a user and these others, whose rows are locked, and updates the others' counters. All of them count as having
 * left somebody: a cluster does not compute a time for some of the rows.
 */
export async function deleteRelations(db: Db, userId: bigint, others: readonly bigint[]): Promise<void> {
  await db.query({
    name: "delete-relations",
    text: `with friends as (
             delete from social.follow where follower_id = $1 and user_id = any ($2::bigint[]) returning user_id as other
           ), followers as (
             delete from social.follow where user_id = $1 and follower_id = any ($2::bigint[]) returning follower_id as other
           )
           update social.profile set
             followers_count = greatest(followers_count - (user_id in (select other from friends))::int, 0),
             friends_count = greatest(friends_count - (user_id in (select other from followers))::int, 0),
             counters_version = counters_version + 1,
             viewer_version = viewer_version + (user_id in (select other from followers))::int,
             left_at = statement_timestamp()
           where user_id in (select other from friends union select other from followers)`,
    values: [userId, others],
  });
}

/** Deletes up to `limit` rows of each table that no counter counts; returns how many. */
export async function deleteUncounted(db: Db, userId: bigint, limit: number): Promise<number> {
  const parts = uncounted.map(
    ([table, own, ...others], index) => `gone_${index} as (
      delete from social.${table} where ${own} = $1 and (${others}) in (
        select ${others} from social.${table} where ${own} = $1 limit $2) returning 1)`,
  );
  const counts = uncounted.map((_, index) => `(select count(*) from gone_${index})`);
  const { rows } = await db.query<{ gone: number }>({
    name: "delete-uncounted",
    text: `with ${parts.join(", ")} select (${counts.join(" + ")})::int as gone`,
    values: [userId, limit],
  });
  return rows[0]?.gone ?? 0;
}

/** Tables, the column that names the user, and the other columns of their keys. */
const uncounted = [
  ["favorite", "user_id", "author_id", "status_id"],
  ["mention", "user_id", "status_id", "author_id"],
  ["follow_request", "follower_id", "user_id"],
  ["follow_request", "user_id", "follower_id"],
  ["block", "blocker_id", "user_id"],
  ["block", "user_id", "blocker_id"],
  ["blocked", "blocker_id", "user_id"],
  ["blocked", "user_id", "blocker_id"],
  ["mute", "muter_id", "user_id"],
  ["mute", "user_id", "muter_id"],
  ["report", "reporter_id", "user_id", "status_id"],
  ["report", "user_id", "reporter_id", "status_id"],
  ["request", "user_id", "request_id"],
] as const;
