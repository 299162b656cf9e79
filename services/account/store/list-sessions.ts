import type { Db } from "../../platform/postgres/pool.ts";

export interface StoredSession {
  idHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** Where a user is signed in, newest first, at most `limit`. */
export async function listSessions(db: Db, userId: bigint, limit: number): Promise<StoredSession[]> {
  const { rows } = await db.query<StoredSession>({
    name: "list-sessions",
    text: `select id_hash as "idHash", created_at as "createdAt", expires_at as "expiresAt" from account.session
           where user_id = $1 and signed_in and ended_at is null and expires_at > now() order by created_at desc, id_hash limit $2`,
    values: [userId, limit],
  });
  return rows;
}
