import type { Db } from "../../platform/postgres/pool.ts";

/** Takes a request id for this transaction; false when it has been used. Waits for a twin that is at work on it. */
export async function insertRequest(db: Db, userId: bigint, requestId: string, digest: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "insert-request",
    text: `insert into social.request (user_id, request_id, digest) values ($1, $2, $3) on conflict do nothing`,
    values: [userId, requestId, digest],
  });
  return rowCount === 1;
}

/** Keeps what the request of this transaction was answered. */
export async function storeAnswer(db: Db, userId: bigint, requestId: string, answer: Uint8Array): Promise<void> {
  await db.query({
    name: "store-answer",
    text: `update social.request set answer = $3 where user_id = $1 and request_id = $2`,
    values: [userId, requestId, answer],
  });
}

/** What a request was answered, with the digest of its content and the name of the user on whose behalf it was made. */
export async function findAnswer(db: Db, userId: bigint, requestId: string) {
  const { rows } = await db.query<{ digest: Buffer; answer: Buffer; screen_name: string | null }>({
    name: "find-answer",
    text: `select digest, answer, screen_name from social.request left join social.profile using (user_id)
           where user_id = $1 and request_id = $2`,
    values: [userId, requestId],
  });
  return rows[0];
}

/** Forgets up to `most` requests that are older than `hours`, the oldest first; returns how many. */
export async function deleteOldRequests(db: Db, hours: number, most: number): Promise<number> {
  const { rowCount } = await db.query({
    name: "delete-old-requests",
    text: `delete from social.request as old using (
             select user_id, request_id from social.request
             where created_at < now() - make_interval(hours => $1)
             order by created_at limit $2 for update skip locked
           ) as oldest
           where old.user_id = oldest.user_id and old.request_id = oldest.request_id`,
    values: [hours, most],
  });
  return rowCount ?? 0;
}
