import type { Db } from "../../../platform/postgres/pool.ts";
import type { ProfileRelation } from "../rows.ts";

/** What decides whether a user may read another one's statuses. */
export async function getReader(
  db: Db,
  readerId: bigint,
  userId: bigint,
): Promise<Pick<ProfileRelation, "following" | "blocks_viewer">> {
  const { rows } = await db.query<Pick<ProfileRelation, "following" | "blocks_viewer">>({
    name: "get-reader",
    text: `select exists (select from social.follow where follower_id = $1 and user_id = $2) as following,
             exists (select from social.blocked where user_id = $1 and blocker_id = $2) as blocks_viewer`,
    values: [readerId, userId],
  });
  return rows[0] ?? { following: false, blocks_viewer: false };
}
