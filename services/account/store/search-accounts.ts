import type { Db } from "../../platform/postgres/pool.ts";
import type { Login } from "../domain/login.ts";
import { accountColumns, type StoredAccount } from "./accounts.ts";

/** An account as an operator finds it, also while it is being deleted. */
export interface FoundAccount extends StoredAccount {
  deletionRequestedAt: Date | null;
}

/** Up to `limit` accounts, the newest first. */
export async function listNewestAccounts(db: Db, limit: number): Promise<FoundAccount[]> {
  const { rows } = await db.query<FoundAccount>({
    name: "list-newest-accounts",
    text: `select ${accountColumns}, deleted_at as "deletionRequestedAt" from account.account order by user_id desc limit $1`,
    values: [limit],
  });
  return rows;
}

/** Up to `limit` accounts whose user name begins with the login's, by name; or the one with its e-mail address. */
export async function listNamedAccounts(db: Db, login: Login, limit: number): Promise<FoundAccount[]> {
  const isName = login.column === "name_key";
  const { rows } = await db.query<FoundAccount>({
    name: `list-accounts-by-${login.column}`,
    // A range, for which every plan uses the unique key's index. Names are ASCII, so no character of one is above the last.
    text: `select ${accountColumns}, deleted_at as "deletionRequestedAt" from account.account
           where ${isName ? "name_key >= $1 and name_key <= $1 || chr(127)" : "email_key in ($1, $3)"}
           order by ${login.column} limit $2`,
    values: [login.key, limit, ...(isName ? [] : [login.exactKey])],
  });
  return rows;
}
