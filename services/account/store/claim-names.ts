import type { Db } from "../../platform/postgres/pool.ts";

export interface NameClaim {
  originId: string;
  userName: string;
  displayName: string;
  createdAt: Date;
}

/** Locks the accounts with these ids of the origin, in ascending order, so that no two claims wait for each other. */
export async function lockClaimed(db: Db, origin: string, originIds: readonly string[]): Promise<void> {
  await db.query({
    name: "lock-claimed",
    text: `select from account.account where origin = $1 and origin_id = any ($2::text[]) order by user_id for update`,
    values: [origin, originIds],
  });
}

/** Renames imported users who changed their name at the origin, where the new one is free. Returns how many. */
export async function renameClaimed(db: Db, origin: string, claims: readonly NameClaim[]): Promise<number> {
  const { rowCount } = await db.query({
    name: "rename-claimed",
    text: `update account.account as held set user_name = claim.user_name
           from unnest($2::text[], $3::text[]) as claim (origin_id, user_name)
           where held.origin = $1 and held.origin_id = claim.origin_id and not held.claimed
             and held.user_name <> claim.user_name
             and not exists (select from account.account as other
                             where other.name_key = lower(claim.user_name collate "C") and other.user_id <> held.user_id)`,
    values: [origin, claims.map((claim) => claim.originId), claims.map((claim) => claim.userName)],
  });
  return rowCount ?? 0;
}

/**
 * Adds an unclaimed account for each user whose name and origin id are free. Original times are whole seconds, so a random part
 * of the second makes the ids of one second differ.
 */
export async function insertClaimed(db: Db, origin: string, claims: readonly NameClaim[]): Promise<void> {
  await db.query({
    name: "insert-claimed",
    text: `insert into account.account (user_id, user_name, display_name, claimed, origin, origin_id, created_at)
           select account.next_id(claim.created_at + random() * interval '999 milliseconds'),
                  claim.user_name, claim.display_name, false, $1, claim.origin_id, claim.created_at
           from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[])
             as claim (origin_id, user_name, display_name, created_at)
           on conflict do nothing`,
    values: [
      origin,
      claims.map((claim) => claim.originId),
      claims.map((claim) => claim.userName),
      claims.map((claim) => claim.displayName),
      claims.map((claim) => claim.createdAt),
    ],
  });
}

/** Deletes accounts that this transaction has added. */
export async function deleteClaimed(db: Db, origin: string, originIds: readonly string[]): Promise<void> {
  await db.query({
    name: "delete-claimed",
    text: `delete from account.account where origin = $1 and origin_id = any ($2::text[])`,
    values: [origin, originIds],
  });
}

export interface ClaimedName {
  originId: string;
  userId: bigint;
  userName: string;
}

/** The accounts with these ids of the origin. */
export async function listClaimed(db: Db, origin: string, originIds: readonly string[]): Promise<ClaimedName[]> {
  const { rows } = await db.query<ClaimedName>({
    name: "list-claimed",
    text: `select origin_id as "originId", user_id as "userId", user_name as "userName"
           from account.account where origin = $1 and origin_id = any($2::text[])`,
    values: [origin, originIds],
  });
  return rows;
}
