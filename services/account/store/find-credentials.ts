import type { Db } from "../../platform/postgres/pool.ts";

/** What decides whether somebody is a user. */
export interface Credentials {
  userId: bigint;
  userName: string;
  /** Undefined for an imported account that nobody has claimed. */
  passwordHash: string | undefined;
  /** Grows when the password is another one. */
  passwordVersion: number;
}

/** The credentials of whoever has this user name or e-mail address, or undefined. No name looks like an address. */
export async function findCredentialsByLogin(db: Db, login: string): Promise<Credentials | undefined> {
  const { rows } = await db.query<Row>({
    name: "find-credentials-by-login",
    text: `select ${columns} from account.account
           where (name_key = lower($1) or email_key = lower($1)) and deleted_at is null`,
    values: [login],
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

const columns = `user_id as "userId", user_name as "userName", password_hash as "passwordHash",
                 password_version as "passwordVersion"`;

type Row = Omit<Credentials, "passwordHash"> & { passwordHash: string | null };

function credentialsOf(row: Row): Credentials {
  return { ...row, passwordHash: row.passwordHash ?? undefined };
}
