import type { Db } from "../../platform/postgres/pool.ts";

/** Deletes sessions that have expired, and those that were ended an hour ago. */
export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.query({
    name: "delete-expired-sessions",
    text: `delete from account.session where expires_at <= now() or ended_at <= now() - interval '1 hour'`,
  });
}
