import type { Db } from "../../platform/postgres/pool.ts";

/** Ends a session; one that does not exist has ended already. It stays stored for an hour, like those that `endSessionsOf` ends. */
export async function endSession(db: Db, idHash: Buffer): Promise<void> {
  await db.query({
    name: "end-session",
    text: `update account.session set ended_at = coalesce(ended_at, now()) where id_hash = $1`,
    values: [idHash],
  });
}

/** A session that was ended by this statement or shortly before. */
export interface EndedSession {
  idHash: Buffer;
  /** Whether it was signed in until now. */
  wasOpen: boolean;
}

/**
 * Ends all sessions of a user, except one, if given. Returns also those that were ended shortly before: the call that ended them
 * may have failed before it announced them.
 */
export async function endSessionsOf(db: Db, userId: bigint, exceptIdHash?: Buffer): Promise<EndedSession[]> {
  const { rows } = await db.query<EndedSession>({
    name: "end-sessions-of",
    text: `with held as (
             select id_hash, ended_at from account.session
             where user_id = $1 and id_hash is distinct from $2
             order by id_hash for update
           )
           update account.session set ended_at = coalesce(held.ended_at, now()) from held
           where session.id_hash = held.id_hash
           returning session.id_hash as "idHash", held.ended_at is null and signed_in and expires_at > now() as "wasOpen"`,
    values: [userId, exceptIdHash ?? null],
  });
  return rows;
}

/**
 * Ends the oldest open sessions of a user beyond the newest `keep`, at most a thousand, except those that another request has locked: that
 * request ends them, or the next sign-in does. Returns those that it ended.
 */
export async function endOldestSessions(db: Db, userId: bigint, keep: number): Promise<Buffer[]> {
  const { rows } = await db.query<{ idHash: Buffer }>({
    name: "end-oldest-sessions",
    text: `with excess as (
             select id_hash from account.session
             where user_id = $1 and signed_in and ended_at is null and expires_at > now()
             order by created_at desc, id_hash offset $2 limit 1000
           ), held as (
             select id_hash from account.session where id_hash in (select id_hash from excess) for update skip locked
           )
           update account.session set ended_at = now() from held
           where session.id_hash = held.id_hash and ended_at is null
           returning session.id_hash as "idHash"`,
    values: [userId, keep],
  });
  return rows.map(({ idHash }) => idHash);
}

/** The sessions of a user that were ended within the last hour, except those that ended by themselves. */
export async function listEndedSessions(db: Db, userId: bigint): Promise<Buffer[]> {
  const { rows } = await db.query<{ idHash: Buffer }>({
    name: "list-ended-sessions",
    text: `select id_hash as "idHash" from account.session where user_id = $1 and ended_at is not null`,
    values: [userId],
  });
  return rows.map(({ idHash }) => idHash);
}
