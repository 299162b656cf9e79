import type { Db } from "../../platform/postgres/pool.ts";

export interface NewSession {
  idHash: Buffer;
  userId: bigint;
  signedIn: boolean;
  /** Seconds. */
  maxAge: number;
}

/** Adds a session that ends `maxAge` seconds from now, and returns when that is. */
export async function insertSession(db: Db, session: NewSession): Promise<Date> {
  const { rows } = await db.query<{ expiresAt: Date }>({
    name: "insert-session",
    text: `insert into account.session (id_hash, user_id, signed_in, expires_at)
           values ($1, $2, $3, now() + $4 * interval '1 second')
           returning expires_at as "expiresAt"`,
    values: [session.idHash, session.userId, session.signedIn, session.maxAge],
  });
  return (rows[0] as { expiresAt: Date }).expiresAt;
}
