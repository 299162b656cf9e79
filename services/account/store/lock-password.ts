import type { Db } from "../../platform/postgres/pool.ts";
import type { Credentials } from "./find-credentials.ts";

/**
 * Whether a password that was checked is still the user's; until the transaction ends no other one changes it. Without this a
 * sign-in could outlast the change of password, or the deletion, that was to end it.
 */
export async function lockPassword(db: Db, checked: Pick<Credentials, "userId" | "passwordVersion">): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "lock-password",
    text: `select from account.account where user_id = $1 and password_version = $2 for share`,
    values: [checked.userId, checked.passwordVersion],
  });
  return rowCount === 1;
}
