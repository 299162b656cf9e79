import type { Db } from "../../platform/postgres/pool.ts";

export interface NewAccount {
  userName: string;
  firstName: string;
  lastName: string;
  displayName: string;
  email: string | undefined;
  emailKey: string | undefined;
  passwordHash: string;
}

export interface Account {
  userId: bigint;
  userName: string;
  displayName: string;
  createdAt: Date;
}

/** Adds an account, or returns undefined when its name or address is taken: the unique keys decide, nothing else. */
export async function insertAccount(db: Db, account: NewAccount): Promise<Account | undefined> {
  const { rows } = await db.query<Account>({
    name: "insert-account",
    text: `insert into account.account
             (user_id, user_name, first_name, last_name, display_name, email, email_key, password_hash, claimed, created_at)
           select account.next_id(at), $1, $2, $3, $4, $5, $6, $7, true, at from clock_timestamp() as at
           on conflict do nothing
           returning user_id as "userId", user_name as "userName", display_name as "displayName", created_at as "createdAt"`,
    values: [
      account.userName,
      account.firstName,
      account.lastName,
      account.displayName,
      account.email ?? null,
      account.emailKey ?? null,
      account.passwordHash,
    ],
  });
  return rows[0];
}
