import type { Db } from "../../../platform/postgres/pool.ts";

/** The ids and screen names of these users, also of deleted ones. */
export async function listNames(
  db: Db,
  userIds: readonly bigint[],
): Promise<{ user_id: bigint; screen_name: string }[]> {
  const { rows } = await db.query<{ user_id: bigint; screen_name: string }>({
    name: "list-names",
    text: `select user_id, screen_name from social.profile where user_id = any ($1::bigint[])
           union all
           select user_id, screen_name from social.removed_profile where user_id = any ($1::bigint[]) and screen_name is not null`,
    values: [userIds],
  });
  return rows;
}

/** The same, with earlier names of imported users. */
export async function listNamesEver(db: Db, userIds: readonly bigint[]): Promise<{ screen_name: string }[]> {
  const { rows } = await db.query<{ screen_name: string }>({
    name: "list-names-ever",
    text: `select unnest(array_remove(array[screen_name, former_name], null)) as screen_name
           from social.profile where user_id = any ($1::bigint[])
           union all
           select screen_name from social.removed_profile where user_id = any ($1::bigint[]) and screen_name is not null`,
    values: [userIds],
  });
  return rows;
}
