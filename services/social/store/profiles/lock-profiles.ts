import type { Db } from "../../../platform/postgres/pool.ts";

/** A locked profile, as far as writes need to know it. */
export interface LockedProfile {
  user_id: bigint;
  screen_name: string;
  protected: boolean;
  suspended: boolean;
  version: bigint;
}

/** Locks these users' rows in ascending order of id, so that no two writes wait for each other; by user id. */
export async function lockProfiles(db: Db, userIds: readonly bigint[]): Promise<Map<bigint, LockedProfile>> {
  const { rows } = await db.query<LockedProfile>({
    name: "lock-profiles",
    text: `select user_id, screen_name, protected, suspended, version from social.lock_profiles($1)`,
    values: [userIds],
  });
  return new Map(rows.map((row) => [row.user_id, row]));
}
