import type { Db } from "../../platform/postgres/pool.ts";

/** The user of each session, in order; 0 for one that is unknown, not signed in, expired or ended. */
export async function findSessionUsers(db: Db, idHashes: readonly Buffer[]): Promise<bigint[]> {
  const { rows } = await db.query<{ id_hash: Buffer; user_id: bigint }>({
    name: "find-session-users",
    text: `select id_hash, user_id from account.session
           where id_hash = any ($1::bytea[]) and signed_in and expires_at > now()`,
    values: [idHashes],
  });
  const userIds = new Map(rows.map(({ id_hash, user_id }) => [id_hash.toString("base64"), user_id]));
  return idHashes.map((hash) => userIds.get(hash.toString("base64")) ?? 0n);
}
