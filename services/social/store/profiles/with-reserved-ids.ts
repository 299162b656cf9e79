import type { Db } from "../../../platform/postgres/pool.ts";

/**
 * Runs work that adds profiles, with those of the user ids that may get one: they are not deleted, and cannot be deleted until the
 * transaction ends. There may be no row to lock, so a row in removed_profile reserves each id meanwhile, and a deletion waits for
 * it. Every statement that adds a profile runs here, before any other lock.
 */
export async function withReservedIds<T>(
  db: Db,
  userIds: readonly bigint[],
  add: (reserved: ReadonlySet<bigint>) => Promise<T>,
): Promise<T> {
  const reserved = await reserveIds(db, userIds);
  const result = await add(new Set(reserved));
  await releaseIds(db, reserved);
  return result;
}

/** In ascending order of id, so that no two transactions wait for each other. */
async function reserveIds(db: Db, userIds: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await db.query<{ user_id: bigint }>({
    name: "reserve-ids",
    text: `insert into social.removed_profile (user_id, removed_at)
           select user_id, 'infinity' from unnest($1::bigint[]) as wanted (user_id) order by user_id
           on conflict do nothing returning user_id`,
    values: [userIds],
  });
  return rows.map((row) => row.user_id);
}

async function releaseIds(db: Db, userIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: "release-ids",
    text: `delete from social.removed_profile where user_id = any ($1::bigint[]) and removed_at = 'infinity'`,
    values: [userIds],
  });
}
