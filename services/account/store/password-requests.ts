import type { Db } from "../../platform/postgres/pool.ts";

/** The key of a request: each user has ids of their own. */
export interface RequestKey {
  userId: bigint;
  /** A UUID in either case. */
  requestId: string;
}

/** Stores which version of the password a request has made. False when the id was used before. */
export async function insertPasswordRequest(db: Db, { userId, requestId }: RequestKey, version: number) {
  const { rowCount } = await db.query({
    name: "insert-password-request",
    text: `insert into account.password_request (user_id, request_id, password_version) values ($1, $2, $3)
           on conflict do nothing`,
    values: [userId, requestId, version],
  });
  return rowCount === 1;
}

/** The version of the password that a request has made, or undefined when there was no request of that id. */
export async function findPasswordRequest(db: Db, { userId, requestId }: RequestKey): Promise<number | undefined> {
  const { rows } = await db.query<{ version: number }>({
    name: "find-password-request",
    text: `select password_version as version from account.password_request where user_id = $1 and request_id = $2`,
    values: [userId, requestId],
  });
  return rows[0]?.version;
}

/**
 * Deletes all requests of a user. To be run after the statement that locks the account: only a later one sees what a change of the
 * password stored for which that statement waited.
 */
export async function deletePasswordRequests(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "delete-password-requests",
    text: `delete from account.password_request where user_id = $1`,
    values: [userId],
  });
}

/** Deletes requests that are older than `hours`. */
export async function deleteOldPasswordRequests(db: Db, hours: number): Promise<void> {
  await db.query({
    name: "delete-old-password-requests",
    text: `delete from account.password_request where created_at < now() - make_interval(hours => $1)`,
    values: [hours],
  });
}
