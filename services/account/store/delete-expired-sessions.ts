import type { Db } from "../../platform/postgres/pool.ts";

/** Deletes at most `limit` sessions that have expired and that no request has locked. Returns how many. */
export async function deleteExpiredSessions(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    name: "delete-expired-sessions",
    text: `delete from account.session where id_hash = any (array(
             select id_hash from account.session
             where expires_at <= now() limit $1 for update skip locked))`,
    values: [limit],
  });
  return rowCount ?? 0;
}
