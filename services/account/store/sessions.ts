import type { Db } from "../../platform/postgres/pool.ts";

export interface NewSession {
  idHash: Buffer;
  userId: bigint;
  signedIn: boolean;
  /** Seconds. */
  maxAge: number;
}

/** Adds a session that ends `maxAge` seconds from now. */
export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.query({
    name: "insert-session",
    text: `insert into account.session (id_hash, user_id, signed_in, expires_at)
           values ($1, $2, $3, now() + $4 * interval '1 second')`,
    values: [session.idHash, session.userId, session.signedIn, session.maxAge],
  });
}

/** The user of each session, in order; 0 for one that is unknown, not signed in, expired or ended. */
export async function listSessionUsers(db: Db, idHashes: readonly Buffer[]): Promise<bigint[]> {
  const { rows } = await db.query<{ id_hash: Buffer; user_id: bigint }>({
    name: "find-session-users",
    text: `select id_hash, user_id from account.session
           where id_hash = any ($1::bytea[]) and signed_in and expires_at > now()`,
    values: [idHashes],
  });
  const userIds = new Map(rows.map(({ id_hash, user_id }) => [id_hash.toString("base64"), user_id]));
  return idHashes.map((hash) => userIds.get(hash.toString("base64")) ?? 0n);
}

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
