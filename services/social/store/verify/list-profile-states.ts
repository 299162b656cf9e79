import type { Db } from "../../../platform/postgres/pool.ts";

export interface ProfileStateRow {
  userId: bigint;
  screenName: string;
  deleted: boolean;
}

/** The `limit` users after this one who have a profile or had one that was deleted. */
export async function listProfileStates(db: Db, afterUserId: bigint, limit: number): Promise<ProfileStateRow[]> {
  const { rows } = await db.query<ProfileStateRow>({
    name: "list-profile-states",
    text: `(select user_id as "userId", screen_name as "screenName", false as deleted from social.profile
            where user_id > $1 order by user_id limit $2)
           union all
           (select user_id, '', true from social.removed_profile
            where user_id > $1 and removed_at < 'infinity' order by user_id limit $2)
           order by 1 limit $2`,
    values: [afterUserId, limit],
  });
  return rows;
}
