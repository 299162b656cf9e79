import type { Db } from "../../platform/postgres/pool.ts";

/** Ends a session; one that is not there is over already. */
export async function endSession(db: Db, idHash: Buffer): Promise<void> {
  await db.query({ name: "end-session", text: `delete from account.session where id_hash = $1`, values: [idHash] });
}

/** Ends all sessions of a user, except one, if given. Returns how many of them were signed in. */
export async function endSessionsOf(db: Db, userId: bigint, exceptIdHash?: Buffer): Promise<number> {
  const { rows } = await db.query<{ signedIn: boolean }>({
    name: "end-sessions-of",
    text: `delete from account.session where user_id = $1 and id_hash is distinct from $2
           returning signed_in and expires_at > now() as "signedIn"`,
    values: [userId, exceptIdHash ?? null],
  });
  return rows.filter(({ signedIn }) => signedIn).length;
}
