import type { Db } from "../../../platform/postgres/pool.ts";

/**
 * Removes the profile and the name of a user who is listed in removed_profile (store/profiles/with-reserved-ids.ts), and stores
 * the name there. Repeating it changes nothing.
 */
export async function removeProfile(db: Db, userId: bigint): Promise<void> {
  await deleteNames(db, userId);
  await db.query({
    name: "remove-profile",
    text: `with gone as (
             delete from social.profile
             where user_id = $1 and exists (select from social.removed_profile where user_id = $1)
             returning screen_name
           )
           update social.removed_profile set screen_name = gone.screen_name from gone where user_id = $1`,
    values: [userId],
  });
}

/** By a statement of its own: as part of another one a cluster would delete them on the server of the profile only. */
async function deleteNames(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "delete-names",
    text: `delete from social.screen_name where user_id = $1`,
    values: [userId],
  });
}

/** Forgets the names of users who were deleted an hour ago: no token from before is left, so nothing has to be announced for them. */
export async function forgetNames(db: Db): Promise<void> {
  await db.query({
    name: "forget-names",
    text: `update social.removed_profile set screen_name = null
           where screen_name is not null and removed_at <= now() - interval '1 hour'`,
  });
}
