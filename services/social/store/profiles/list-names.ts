import type { Db } from "../../../platform/postgres/pool.ts";

/** The screen names of these users, also of deleted ones, with their ids; and, in rows of their own, the names before an import renamed them. */
export async function listNames(
  db: Db,
  userIds: readonly bigint[],
): Promise<{ user_id: bigint; screen_name: string }[]> {
  const { rows } = await db.query<{ user_id: bigint; screen_name: string }>({
    name: "list-names",
    text: `select user_id, unnest(array_remove(array[screen_name, former_name], null)) as screen_name
           from social.profile where user_id = any ($1::bigint[])
           union all
           select user_id, unnest(array_remove(array[screen_name, former_name], null))
           from social.removed_profile where user_id = any ($1::bigint[])`,
    values: [userIds],
  });
  return rows;
}
