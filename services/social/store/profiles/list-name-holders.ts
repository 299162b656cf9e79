import type { Db } from "../../../platform/postgres/pool.ts";

/** The ids of users by name key; unknown names are left out. Needs no shard. */
export async function listNameHolders(db: Db, nameKeys: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await db.query<{ name_key: string; user_id: bigint }>({
    name: "list-name-holders",
    text: `select name_key, user_id from social.screen_name where name_key = any ($1::text[])`,
    values: [nameKeys],
  });
  return new Map(rows.map((row) => [row.name_key, row.user_id]));
}
