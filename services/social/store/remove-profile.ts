import type { Db } from "../../platform/postgres/pool.ts";

/**
 * Holds off whoever else creates or removes the profile of this user until the transaction ends: there may be no row to
 * lock. Comes before every other lock.
 */
export async function lockExistence(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "lock-existence",
    text: `select pg_advisory_xact_lock($1)`,
    values: [userId],
  });
}

/** Removes a user's profile and name for good, and returns the profile; undefined when there was none. */
export async function removeProfile(db: Db, userId: bigint): Promise<{ screen_name: string } | undefined> {
  const { rows } = await db.query<{ screen_name: string }>({
    name: "remove-profile",
    text: `with noted as (
             insert into social.removed_profile (user_id) values ($1) on conflict do nothing
           ), named as (
             delete from social.screen_name where user_id = $1
           )
           delete from social.profile where user_id = $1 returning screen_name`,
    values: [userId],
  });
  return rows[0];
}
