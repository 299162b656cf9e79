import type { Db } from "../../platform/postgres/pool.ts";

export interface StoredSession {
  idHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** The newest open sessions of a user, at most `limit` including the presented one, newest first. */
export async function listSessionRows(
  db: Db,
  userId: bigint,
  limit: number,
  ownIdHash: Buffer,
): Promise<StoredSession[]> {
  const { rows } = await db.query<StoredSession>({
    name: "list-sessions",
    text: `select id_hash as "idHash", created_at as "createdAt", expires_at as "expiresAt" from (
             select * from account.session
             where user_id = $1 and signed_in and expires_at > now()
             order by id_hash = $3 desc, created_at desc, id_hash limit $2
           ) as listed order by created_at desc, id_hash`,
    values: [userId, limit, ownIdHash],
  });
  return rows;
}
