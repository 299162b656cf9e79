import type { Db } from "../../platform/postgres/pool.ts";

interface StoredDeletion {
  userId: bigint;
  requestedAt: Date;
  batches: number;
  completedAt: Date | null;
}

/** What is stored of a deletion, or undefined when there is none. */
export async function findDeletion(db: Db, userId: bigint): Promise<StoredDeletion | undefined> {
  const { rows } = await db.query<StoredDeletion>({
    name: "find-deletion",
    text: `select user_id as "userId", requested_at as "requestedAt", batches, completed_at as "completedAt"
           from account.deletion where user_id = $1`,
    values: [userId],
  });
  return rows[0];
}

/** Counts one more deleted batch, of which more are left. */
export async function countBatch(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "count-batch",
    text: `update account.deletion set batches = batches + 1 where user_id = $1 and completed_at is null`,
    values: [userId],
  });
}

/** Marks a deletion as complete, and frees the name. Repeating it changes nothing. */
export async function completeDeletion(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "complete-deletion",
    text: `with freed as (delete from account.account where user_id = $1 and deleted_at is not null)
           update account.deletion set batches = batches + 1, completed_at = now()
           where user_id = $1 and completed_at is null`,
    values: [userId],
  });
}

/** Which of these users of an origin have deleted their account. */
export async function listDeletedOrigins(db: Db, origin: string, originIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ originId: string }>({
    name: "list-deleted-origins",
    text: `select origin_id as "originId" from account.deletion where origin = $1 and origin_id = any($2::text[])`,
    values: [origin, originIds],
  });
  return rows.map((row) => row.originId);
}
