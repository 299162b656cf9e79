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
