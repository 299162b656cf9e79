import type { Db } from "../../platform/postgres/pool.ts";

/** Ends a session; one that does not exist has ended already. */
export async function endSession(db: Db, idHash: Buffer): Promise<void> {
  await db.query({
    name: "end-session",
    text: `delete from account.session where id_hash = $1`,
    values: [idHash],
  });
}

/** Ends all sessions of a user, except one, if given. Returns how many of them were signed in. */
export async function endSessionsOf(db: Db, userId: bigint, exceptIdHash?: Buffer): Promise<number> {
  const { rows } = await db.query<{ was_open: boolean }>({
    name: "end-sessions-of",
    // Locked in one order, so that no two calls wait for each other.
    text: `with held as (
             select id_hash from account.session
             where user_id = $1 and id_hash is distinct from $2
             order by id_hash for update
           )
           delete from account.session using held where session.id_hash = held.id_hash
           returning signed_in and expires_at > now() as was_open`,
    values: [userId, exceptIdHash ?? null],
  });
  return rows.filter((row) => row.was_open).length;
}

/**
 * Ends the oldest open sessions of a user beyond the newest `keep`, at most a thousand, except those that another request has locked: that
 * request ends them, or the next sign-in does.
 */
export async function endOldestSessions(db: Db, userId: bigint, keep: number): Promise<void> {
  await db.query({
    name: "end-oldest-sessions",
    text: `with excess as (
             select id_hash from account.session
             where user_id = $1 and signed_in and expires_at > now()
             order by created_at desc, id_hash offset $2 limit 1000
           ), held as (
             select id_hash from account.session where id_hash in (select id_hash from excess) for update skip locked
           )
           delete from account.session using held where session.id_hash = held.id_hash`,
    values: [userId, keep],
  });
}
