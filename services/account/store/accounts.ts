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

export interface FirstPassword {
  userId: bigint;
  passwordHash: string;
  email: string | undefined;
  emailKey: string | undefined;
}

/** Claims an imported account; false when there is none or it is claimed already. The unique key decides on the address. */
export async function claimAccountRow(db: Db, claim: FirstPassword): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "claim-account",
    text: `update account.account
           set claimed = true, password_hash = $2, password_version = password_version + 1,
             email = coalesce($3, email), email_key = coalesce($4, email_key)
           where user_id = $1 and not claimed and deleted_at is null`,
    values: [claim.userId, claim.passwordHash, claim.email ?? null, claim.emailKey ?? null],
  });
  return rowCount === 1;
}

/**
 * Clears an account except for its name, and stores that it has to be deleted. False when there is no such account, or it was deleted
 * already. The row stays, because its unique key reserves the name.
 * @param passwordVersion false also when the account's password has another version; undefined: any version
 */
export async function emptyAccount(db: Db, userId: bigint, passwordVersion?: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "empty-account",
    text: `with standing as (
             select user_id, origin, origin_id from account.account
             where user_id = $1 and deleted_at is null and ($2::int is null or password_version = $2) for update
           ), emptied as (
             update account.account as held
             set deleted_at = now(), claimed = false, password_hash = null, password_version = password_version + 1,
                 email = null, email_key = null, first_name = '', last_name = '', display_name = '', origin = null, origin_id = null
             from standing where held.user_id = standing.user_id
           )
           insert into account.deletion (user_id, origin, origin_id) select user_id, origin, origin_id from standing`,
    values: [userId, passwordVersion ?? null],
  });
  return rowCount === 1;
}

interface AccountStateRow {
  userId: bigint;
  userName: string;
  claimed: boolean;
  deleted: boolean;
  queued: boolean;
  unfinished: boolean;
}

/** The `limit` users after this one who have an account or had one. In one snapshot with the outbox. */
export async function listAccountStates(db: Db, afterUserId: bigint, limit: number): Promise<AccountStateRow[]> {
  const { rows } = await db.query<AccountStateRow>({
    name: "list-account-states",
    // An account that waits for its deletion has both rows.
    text: `with page as (
             (select user_id, user_name, claimed, false as deleted, false as unfinished from account.account
              where user_id > $1 and deleted_at is null order by user_id limit $2)
             union all
             (select user_id, '', false, true, completed_at is null from account.deletion
              where user_id > $1 order by user_id limit $2)
             order by user_id limit $2
           )
           select user_id as "userId", user_name as "userName", claimed, deleted, unfinished,
             exists (select from account_jobs._private_jobs
                     where key = case when deleted then 'delete-profile:' else 'create-profile:' end || user_id) as queued
           from page order by user_id`,
    values: [afterUserId, limit],
  });
  return rows;
}

/** An account as an operator finds it, also while it is being deleted. */
interface FoundAccount extends StoredAccount {
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
