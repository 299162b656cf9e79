import type { Db } from "../../platform/postgres/pool.ts";

export interface NewProfile {
  userId: bigint;
  screenName: string;
  name: string;
  createdAt: Date;
}

/**
 * Adds a profile under its name; one that stands is left as it is, and one that was deleted does not come back. The account service has given the name to this user, so
 * whoever answered to it here does so no longer.
 */
export async function insertProfile(db: Db, profile: NewProfile): Promise<void> {
  await db.query({
    name: "insert-profile",
    text: `with wanted as (
             select $1::bigint as user_id where not exists (select from social.removed_profile where user_id = $1)
           ), named as (
             insert into social.screen_name (name_key, user_id) select lower($2), user_id from wanted
             on conflict (name_key) do update set user_id = excluded.user_id
           )
           insert into social.profile (user_id, screen_name, name, created_at)
           select user_id, $2, $3, $4 from wanted
           on conflict do nothing`,
    values: [profile.userId, profile.screenName, profile.name, profile.createdAt],
  });
}
