import type { Db } from "../../platform/postgres/pool.ts";

/**
 * Reserves a request id in this transaction; returns false when it is used. Waits for another transaction with the same id.
 * @param bySuspended false: a suspended user gets none
 */
export async function insertRequest(
  db: Db,
  userId: bigint,
  requestId: string,
  digest: Buffer,
  bySuspended: boolean,
): Promise<boolean> {
  const { rows } = await db.query({
    name: "insert-request",
    text: `insert into social.request (user_id, request_id, digest)
           select $1, $2, $3
           where $4 or not exists (select from social.profile where user_id = $1 and suspended)
           on conflict do nothing returning 1`,
    values: [userId, requestId, digest, bySuspended],
  });
  // Counts the returned rows: a cluster's row count is that of the selection.
  return rows.length === 1;
}

/**
 * Stores the answer of this transaction's request.
 * @param bySuspended false: stores nothing and returns false when the user is suspended by now. The user's row must be locked, so
 * that no suspension follows.
 */
export async function storeAnswer(
  db: Db,
  userId: bigint,
  requestId: string,
  answer: Uint8Array,
  bySuspended: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "store-answer",
    // Both tables are compared with the parameter: compared only with each other, a cluster would ask every shard, for one write at a time.
    text: `update social.request set answer = $3
           where user_id = $1 and request_id = $2
             and ($4 or not exists (select from social.profile where profile.user_id = $1 and suspended))`,
    values: [userId, requestId, answer, bySuspended],
  });
  return rowCount === 1;
}

/** A request of a user, and its answer. */
export interface AnsweredRequest {
  userId: bigint;
  requestId: string;
  digest: Buffer;
  /** The response message. */
  answer: Uint8Array;
}

/**
 * Stores requests of several users with their answers.
 * @throws the violation of a unique key when an id is used
 */
export async function insertAnswered(db: Db, requests: readonly AnsweredRequest[]): Promise<void> {
  await db.query({
    name: "insert-answered",
    text: `insert into social.request (user_id, request_id, digest, answer)
           select * from unnest($1::bigint[], $2::uuid[], $3::bytea[], $4::bytea[])`,
    values: [
      requests.map(({ userId }) => userId),
      requests.map(({ requestId }) => requestId),
      requests.map(({ digest }) => digest),
      requests.map(({ answer }) => Buffer.from(answer)),
    ],
  });
}

/** The answer of a request, with the digest of its content. */
export async function findAnswer(db: Db, userId: bigint, requestId: string) {
  const { rows } = await db.query<{ digest: Buffer; answer: Buffer }>({
    name: "find-answer",
    text: `select digest, answer from social.request where user_id = $1 and request_id = $2`,
    values: [userId, requestId],
  });
  return rows[0];
}

/** Deletes up to `limit` requests that are older than `hours`, the oldest first; returns how many. */
export async function deleteOldRequests(db: Db, hours: number, limit: number): Promise<number> {
  const { rows } = await db.query<{ user_id: bigint; request_id: string }>({
    name: "list-old-requests",
    text: `select user_id, request_id from social.request
           where created_at < now() - make_interval(hours => $1) order by created_at limit $2`,
    values: [hours, limit],
  });
  await db.query({
    name: "delete-old-requests",
    text: `delete from social.request as old using unnest($1::bigint[], $2::uuid[]) as oldest (user_id, request_id)
           where old.user_id = oldest.user_id and old.request_id = oldest.request_id
             -- Not a new one of the same id, after another process has deleted the old one.
             and old.created_at < now() - make_interval(hours => $3)`,
    values: [rows.map((row) => row.user_id), rows.map((row) => row.request_id), hours],
  });
  return rows.length;
}
