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
 */
export async function insertProfile(db: Db, profile: NewProfile): Promise<void> {
  await withReservedIds(db, [profile.userId], async (reserved) => {
    if (reserved.has(profile.userId)) await insert(db, profile);
  });
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
