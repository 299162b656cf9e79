import type { Db } from "../../../platform/postgres/pool.ts";
import type { LockedProfile } from "../profiles/lock-profiles.ts";

/** Up to `limit` users after this one who have reposted an author, in ascending order. */
export async function listReposters(db: Db, authorId: bigint, afterUserId: bigint, limit: number): Promise<bigint[]> {
  const { rows } = await db.query<{ reposter: bigint }>({
    name: "list-reposters",
    text: `select distinct author_id as reposter from social.status
           where repost_of_author_id = $1 and repost_of_id is not null and author_id > $2
           order by author_id limit $3`,
    values: [authorId, afterUserId, limit],
  });
  return rows.map((row) => row.reposter);
}

/**
 * Marks these users' reposts of an author: withheld when the author is suspended, restricted when protected, otherwise shown.
 * Returns the users for whom that changed something.
 */
export async function markReposts(
  db: Db,
  author: Pick<LockedProfile, "user_id" | "suspended" | "protected">,
  reposterIds: readonly bigint[],
): Promise<bigint[]> {
  const { rows } = await db.query<{ reposter: bigint }>({
    name: "mark-reposts",
    text: `with changed as (
             update social.status set withheld = $3, restricted = $4
             where repost_of_author_id = $1 and repost_of_id is not null and author_id = any ($2::bigint[])
               and (withheld <> $3 or restricted <> $4)
             returning author_id
           )
           select distinct author_id as reposter from changed`,
    values: [author.user_id, reposterIds, author.suspended, author.protected],
  });
  return rows.map((row) => row.reposter);
}

/** Determines the newest statuses of these users, whose rows are locked, again: some were hidden or shown. */
export async function renewTimelines(db: Db, userIds: readonly bigint[]): Promise<void> {
  if (userIds.length === 0) return;
  await db.query({
    name: "renew-timelines",
    text: `update social.profile set
             last_status_id = (
               select id from social.status where author_id = user_id and not withheld order by id desc limit 1),
             last_unrestricted_id = (
               select id from social.status where author_id = user_id and not withheld and not restricted
               order by id desc limit 1),
             content_version = content_version + 1
           where user_id = any ($1::bigint[])`,
    values: [userIds],
  });
}
