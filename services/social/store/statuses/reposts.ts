import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";

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
