import type { Db } from "../../platform/postgres/pool.ts";
import type { Login } from "../domain/login.ts";

/** The stored values that a sign-in is compared with. */
export interface Credentials {
  userId: bigint;
  userName: string;
  displayName: string;
  /** Undefined for an imported account that is not claimed. */
  passwordHash: string | undefined;
  /** Grows with each change of the password. */
  passwordVersion: number;
}

/** The credentials of the user with this user name or e-mail address, or undefined. */
export async function findCredentialsByLogin(
  db: Db,
  { column, key, exactKey }: Login,
): Promise<Credentials | undefined> {
  const { rows } = await db.query<Row>({
    name: `find-credentials-by-${column}`,
    text: `select ${columns} from account.account
           where ${column} in ($1, $2) and deleted_at is null order by ${column} = $2 desc limit 1`,
    values: [key, exactKey],
  });
  return rows.map(credentialsOf)[0];
}

/** The credentials of a user, or undefined. */
export async function findCredentials(db: Db, userId: bigint): Promise<Credentials | undefined> {
  const { rows } = await db.query<Row>({
    name: "find-credentials",
    text: `select ${columns} from account.account where user_id = $1 and deleted_at is null`,
    values: [userId],
  });
  return rows.map(credentialsOf)[0];
}

const columns = `user_id as "userId", user_name as "userName", display_name as "displayName", password_hash as "passwordHash",
                 password_version as "passwordVersion"`;

type Row = Omit<Credentials, "passwordHash"> & { passwordHash: string | null };

function credentialsOf(row: Row): Credentials {
  return { ...row, passwordHash: row.passwordHash ?? undefined };
}

/** The password that was checked. */
type CheckedPassword = Pick<Credentials, "userId" | "passwordVersion">;

/** The costs that stored password hashes have, each once: `m=…,t=…,p=…`, as in their PHC form. One, unless the settings were changed. */
export async function listHashCosts(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ cost: string }>({
    name: "list-hash-costs",
    // One look-up in an index for each cost: `distinct` would read all accounts.
    text: `with recursive used (cost) as (
             select min(${costOf}) from account.account where password_hash is not null
             union all
             select (select min(${costOf}) from account.account where password_hash is not null and ${costOf} > cost)
             from used where cost is not null
           )
           select cost from used where cost is not null`,
    values: [],
  });
  return rows.map(({ cost }) => cost);
}

// As in the index of migration 0012.
const costOf = `(split_part(password_hash, '$', 4) collate "C")`;

/**
 * Whether a checked password is still the user's; the lock keeps it so until the transaction ends. Without it a sign-in could
 * outlast the change of password, or the deletion, that should have ended it.
 */
export async function lockPassword(db: Db, checked: CheckedPassword): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "lock-password",
    text: `select from account.account where user_id = $1 and password_version = $2 for share`,
    values: [checked.userId, checked.passwordVersion],
  });
  return rowCount === 1;
}

/** Replaces a user's password. False when it was changed since the old one was checked. */
export async function updatePassword(db: Db, checked: CheckedPassword, passwordHash: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "update-password",
    text: `update account.account set password_hash = $3, password_version = password_version + 1
           where user_id = $1 and password_version = $2`,
    values: [checked.userId, checked.passwordVersion, passwordHash],
  });
  return rowCount === 1;
}

/** Stores another hash of a password that was checked. False when the user's password was changed since. */
export async function renewHash(db: Db, checked: CheckedPassword, passwordHash: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "renew-hash",
    text: `update account.account set password_hash = $3 where user_id = $1 and password_version = $2`,
    values: [checked.userId, checked.passwordVersion, passwordHash],
  });
  return rowCount === 1;
}
