import type { Db } from "../../platform/postgres/pool.ts";

/** The user whom a signed-in session that has not expired belongs to, or undefined. */
export async function findSession(db: Db, idHash: Buffer): Promise<bigint | undefined> {
  const { rows } = await db.query<{ userId: bigint }>({
    name: "find-session",
    text: `select user_id as "userId" from account.session
           where id_hash = $1 and signed_in and ended_at is null
             and expires_at > now()`,
    values: [idHash],
  });
  return rows[0]?.userId;
}
