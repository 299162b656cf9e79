import type { Db } from "../../../platform/postgres/pool.ts";

/** Whether a user had a profile that was deleted. */
export async function isRemoved(db: Db, userId: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "is-removed",
    text: `select from social.removed_profile where user_id = $1`,
    values: [userId],
  });
  return rowCount === 1;
}
