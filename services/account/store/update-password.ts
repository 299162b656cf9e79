import type { Db } from "../../platform/postgres/pool.ts";
import type { Credentials } from "./find-credentials.ts";

/** Replaces a user's password. False when it was changed since the old one was checked. */
export async function updatePassword(
  db: Db,
  checked: Pick<Credentials, "userId" | "passwordVersion">,
  passwordHash: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "update-password",
    text: `update account.account set password_hash = $3, password_version = password_version + 1
           where user_id = $1 and password_version = $2`,
    values: [checked.userId, checked.passwordVersion, passwordHash],
  });
  return rowCount === 1;
}

/** Stores another hash of a password that was checked. False when the user's password was changed since. */
export async function renewHash(
  db: Db,
  checked: Pick<Credentials, "userId" | "passwordVersion">,
  passwordHash: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "renew-hash",
    text: `update account.account set password_hash = $3 where user_id = $1 and password_version = $2`,
    values: [checked.userId, checked.passwordVersion, passwordHash],
  });
  return rowCount === 1;
}
