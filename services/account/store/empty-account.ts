import type { Db } from "../../platform/postgres/pool.ts";

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
