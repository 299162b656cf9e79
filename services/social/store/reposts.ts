import type { Db } from "../../platform/postgres/pool.ts";
import type { StatusKey } from "./find-status.ts";

/** The id of a user's repost of a status, or undefined. */
export async function findRepost(db: Db, userId: bigint, { authorId, id }: StatusKey): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>({
    name: "find-repost",
    text: `select id from social.status where author_id = $1 and repost_of_author_id = $2 and repost_of_id = $3`,
    values: [userId, authorId, id],
  });
  return rows[0]?.id;
}

/** Changes how often a status was reposted, by 1 or -1. */
export async function countRepost(db: Db, { authorId, id }: StatusKey, by: 1 | -1): Promise<void> {
  await db.query({
    name: "count-repost",
    text: `with counted as (
             update social.status set retweet_count = greatest(least(retweet_count, 2147483646) + $3, 0)
             where author_id = $1 and id = $2 returning author_id
           )
           update social.profile set counters_version = counters_version + 1
           from counted where user_id = counted.author_id`,
    values: [authorId, id, by],
  });
}

/** Takes a status off its author's timeline: the counter and the newest status move in the same step. */
export async function deleteStatus(db: Db, { authorId, id }: StatusKey): Promise<void> {
  await db.query({
    name: "delete-status",
    text: `with gone as (
             delete from social.status where author_id = $1 and id = $2 returning 1
           )
           update social.profile set
             statuses_count = greatest(statuses_count - 1, 0),
             last_status_id = (select max(id) from social.status where author_id = $1 and id <> $2),
             content_version = content_version + 1
           where user_id = $1 and exists (select from gone)`,
    values: [authorId, id],
  });
}
