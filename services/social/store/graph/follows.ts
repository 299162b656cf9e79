import type { Db } from "../../../platform/postgres/pool.ts";

/** Makes one user follow another and counts it, once. Ends an open request and applies what it asked for. */
export async function insertFollow(db: Db, followerId: bigint, userId: bigint): Promise<void> {
  await db.query({
    name: "insert-follow",
    // What is inserted is not taken from the step before: a cluster would send that to every server.
    text: `with added as (
             insert into social.follow (follower_id, user_id, notifications)
             select $1, $2, coalesce(
               (select notifications from social.follow_request where follower_id = $1 and user_id = $2), false)
             on conflict do nothing returning 1
           ), spent as (
             delete from social.follow_request where follower_id = $1 and user_id = $2
           )
           update social.profile set
             friends_count = least(friends_count, 2147483646) + (user_id = $1)::int,
             viewer_version = viewer_version + (user_id = $1)::int,
             followers_count = least(followers_count, 2147483646) + (user_id = $2)::int,
             counters_version = counters_version + 1
           where user_id in ($1, $2) and exists (select from added)`,
    values: [followerId, userId],
  });
}

/** How many users other than this one a user follows or asks to follow, at most `limit`. The user's row is locked. */
export async function countOtherFollows(db: Db, followerId: bigint, userId: bigint, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: "count-other-follows",
    text: `select count(*)::integer as count from (
             select from social.follow where follower_id = $1 and user_id <> $2
             union all select from social.follow_request where follower_id = $1 and user_id <> $2
             limit $3
           ) as others`,
    values: [followerId, userId, limit],
  });
  return rows[0]?.count ?? 0;
}

/** Ends a follow or an open request. */
export async function deleteFollow(db: Db, followerId: bigint, userId: bigint): Promise<void> {
  await db.query({
    name: "delete-follow",
    text: `with request as (
             delete from social.follow_request where follower_id = $1 and user_id = $2 returning 1
           ), removed as (
             delete from social.follow where follower_id = $1 and user_id = $2 returning 1
           ), counted as (
             select exists (select from removed)::int as follows, statement_timestamp() as at
           )
           update social.profile set
             friends_count = greatest(friends_count - follows * (user_id = $1)::int, 0),
             followers_count = greatest(followers_count - follows * (user_id = $2)::int, 0),
             counters_version = counters_version + follows,
             viewer_version = viewer_version + (user_id = $1)::int,
             left_at = case when user_id = $1 and follows = 1 then at else left_at end
           from counted
           where user_id = $1 and (follows = 1 or exists (select from request)) or user_id = $2 and follows = 1`,
    values: [followerId, userId],
  });
}

/** Stores a request to follow, unless the first user follows already. */
export async function insertFollowRequest(db: Db, followerId: bigint, userId: bigint): Promise<void> {
  await db.query({
    name: "insert-follow-request",
    text: `with asked as (
             insert into social.follow_request (follower_id, user_id)
             select user_id, $2::bigint from social.profile
             where user_id = $1 and not exists (select from social.follow where follower_id = $1 and follow.user_id = $2)
             on conflict do nothing returning 1
           )
           update social.profile set viewer_version = viewer_version + 1
           where user_id = $1 and exists (select from asked)`,
    values: [followerId, userId],
  });
}

/** Whether one user asks to follow another. */
export async function hasFollowRequest(db: Db, followerId: bigint, userId: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "has-follow-request",
    text: `select from social.follow_request where follower_id = $1 and user_id = $2`,
    values: [followerId, userId],
  });
  return rowCount === 1;
}

/** Sets whether a follower is notified of a user's statuses, or will be once an open request is granted. */
export async function updateNotifications(
  db: Db,
  followerId: bigint,
  userId: bigint,
  notifications: boolean,
): Promise<void> {
  await db.query({
    name: "update-notifications",
    text: `with asked as (
             update social.follow_request set notifications = $3 where follower_id = $1 and user_id = $2
           )
           update social.follow set notifications = $3 where follower_id = $1 and user_id = $2`,
    values: [followerId, userId, notifications],
  });
}
