import type { Db } from "../../../platform/postgres/pool.ts";

/**
 * Removes the profile and the name of a user who is listed in removed_profile (store/profiles/with-reserved-ids.ts), and stores
 * the name there, with the former one. Repeating it changes nothing.
 */
export async function removeProfile(db: Db, userId: bigint): Promise<void> {
  await deleteNames(db, userId);
  await db.query({
    name: "remove-profile",
    text: `with gone as (
             delete from social.profile
             where user_id = $1 and exists (select from social.removed_profile where user_id = $1)
             returning screen_name, former_name
           )
           update social.removed_profile set screen_name = gone.screen_name, former_name = gone.former_name
           from gone where user_id = $1`,
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

/**
 * Forgets the names of some users who were deleted an hour ago: no token from before is left, so nothing has to be announced for them.
 * @param limit how many at most, so that no statement takes long
 * @returns how many
 */
export async function forgetNames(db: Db, limit: number): Promise<number> {
  const { rows } = await db.query<{ user_id: bigint }>({
    name: "list-names-to-forget",
    text: `select user_id from social.removed_profile
           where screen_name is not null and removed_at <= now() - interval '1 hour' order by removed_at limit $1`,
    values: [limit],
  });
  await db.query({
    name: "forget-names",
    text: `update social.removed_profile set screen_name = null, former_name = null where user_id = any ($1::bigint[])`,
    values: [rows.map((row) => row.user_id)],
  });
  return rows.length;
}
