import type { Db } from "../../platform/postgres/pool.ts";
import type { Credentials } from "./find-credentials.ts";

/**
 * Whether a checked password is still the user's; the lock keeps it so until the transaction ends. Without it a sign-in could
 * outlast the change of password, or the deletion, that should have ended it.
 */
export async function lockPassword(db: Db, checked: Pick<Credentials, "userId" | "passwordVersion">): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "lock-password",
    text: `select from account.account where user_id = $1 and password_version = $2 for share`,
    values: [checked.userId, checked.passwordVersion],
  });
  return rowCount === 1;
}
