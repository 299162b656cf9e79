import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import { takeName } from "./take-name.ts";
import { withReservedIds } from "./with-reserved-ids.ts";

export interface NewProfile {
  userId: bigint;
  screenName: string;
  name: string;
  createdAt: Date;
}

/**
 * Adds a profile under its name. An existing one is left as it is, and a deleted one does not come back. The account service has
 * given the name to this user, so another user who had it here loses it.
 * @param isCluster there the name and the profile lie on different servers
 */
export async function insertProfile(db: Db, profile: NewProfile, isCluster: boolean): Promise<void> {
  await withReservedIds(db, [profile.userId], async (reserved) => {
    if (!reserved.has(profile.userId)) return;
    if (isCluster || !(await insertNamed(db, profile))) await insert(db, profile);
  });
}

/** Adds a profile with its name, in one round trip. False when the name is not free. */
async function insertNamed(db: Db, { userId, screenName, name, createdAt }: NewProfile): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "insert-named-profile",
    text: `with named as (
             insert into social.screen_name (name_key, user_id) values ($5, $1) on conflict do nothing returning user_id
           ), added as (
             insert into social.profile (user_id, screen_name, name, created_at) select user_id, $2, $3, $4 from named
             on conflict do nothing
           )
           select from named`,
    values: [userId, screenName, name, createdAt, nameKey(screenName)],
  });
  return rowCount === 1;
}

async function insert(db: Db, { userId, screenName, name, createdAt }: NewProfile): Promise<void> {
  await takeName(db, nameKey(screenName), userId);
  await db.query({
    name: "insert-profile",
    text: `insert into social.profile (user_id, screen_name, name, created_at) values ($1, $2, $3, $4)
           on conflict do nothing`,
    values: [userId, screenName, name, createdAt],
  });
}
