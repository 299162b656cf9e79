import type { Db } from "../../platform/postgres/pool.ts";
import type { Login } from "../domain/login.ts";

/** An account as it is stored, without its secrets. */
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
    text: `select ${accountColumns} from account.account where user_id = $1 and deleted_at is null`,
    values: [userId],
  });
  return rows[0];
}

/** The account with this user name or e-mail address, or undefined; a deleted one is none. */
export async function findAccountByLogin(db: Db, { column, key, exactKey }: Login): Promise<StoredAccount | undefined> {
  const { rows } = await db.query<StoredAccount>({
    name: `find-account-by-${column}`,
    text: `select ${accountColumns} from account.account
           where ${column} in ($1, $2) and deleted_at is null order by ${column} = $2 desc limit 1`,
    values: [key, exactKey],
  });
  return rows[0];
}

/** The columns of a StoredAccount. */
export const accountColumns = `user_id as "userId", user_name as "userName", email, first_name as "firstName", last_name as "lastName",
                 display_name as "displayName", created_at as "createdAt", claimed, origin, origin_id as "originId"`;
