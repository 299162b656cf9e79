import type { Db } from "../../platform/postgres/pool.ts";

/** An account as it is stored, its secrets apart. */
export interface StoredAccount {
  userId: bigint;
  userName: string;
  email: string | null;
  firstName: string;
  lastName: string;
  displayName: string;
  createdAt: Date;
  claimed: boolean;
  origin: string | null;
  originId: string | null;
}

/** The account of a user, or undefined; a deleted one is none. */
export async function findAccount(db: Db, userId: bigint): Promise<StoredAccount | undefined> {
  const { rows } = await db.query<StoredAccount>({
    name: "find-account",
    text: `select user_id as "userId", user_name as "userName", email, first_name as "firstName", last_name as "lastName",
                  display_name as "displayName", created_at as "createdAt", claimed, origin, origin_id as "originId"
           from account.account where user_id = $1 and deleted_at is null`,
    values: [userId],
  });
  return rows[0];
}
