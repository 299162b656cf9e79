import type { Db } from "../../../platform/postgres/pool.ts";

/**
 * Removes the profile and the name of a user who is listed in removed_profile (store/profiles/with-reserved-ids.ts). Repeating it changes
 * nothing.
 */
export async function removeProfile(db: Db, userId: bigint): Promise<void> {
  await deleteNames(db, userId);
  await db.query({
    name: "remove-profile",
    text: `delete from social.profile
           where user_id = $1 and exists (select from social.removed_profile where user_id = $1)`,
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
