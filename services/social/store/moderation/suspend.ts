import type { Db } from "../../../platform/postgres/pool.ts";

/** Sets whether a user, whose row is locked, is suspended, and makes the user's reposts due (reposts-due.ts). Without a change there is no new version. */
export async function updateSuspended(db: Db, userId: bigint, suspended: boolean): Promise<void> {
  await db.query({
    name: "update-suspended",
    text: `update social.profile set
             suspended = $2, content_version = content_version + 1, reposts_due = content_version + 1, removed_at = statement_timestamp()
           where user_id = $1 and suspended <> $2`,
    values: [userId, suspended],
  });
}
