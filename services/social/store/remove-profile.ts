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

/** Removes a user's profile and name for good; what was removed before stays so. */
export async function removeProfile(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "remove-profile",
    text: `with gone as (
             delete from social.profile where user_id = $1 returning screen_name
           ), named as (
             delete from social.screen_name where user_id = $1
           )
           insert into social.removed_profile (user_id, screen_name)
           select $1, (select screen_name from gone) on conflict do nothing`,
    values: [userId],
  });
}
