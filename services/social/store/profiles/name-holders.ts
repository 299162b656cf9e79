import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";

/** The id of the user of a screen name, without regard to case; undefined when no user has it. */
export async function findUserId(db: Db, screenName: string): Promise<bigint | undefined> {
  const { rows } = await db.query<{ user_id: bigint }>({
    name: "find-user-id",
    text: `select user_id from social.screen_name where name_key = $1`,
    values: [nameKey(screenName)],
  });
  return rows[0]?.user_id;
}

/** The ids of users by name key; unknown names are left out. Needs no shard. */
export async function listNameHolders(db: Db, nameKeys: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await db.query<{ name_key: string; user_id: bigint }>({
    name: "list-name-holders",
    text: `select name_key, user_id from social.screen_name where name_key = any ($1::text[])`,
    values: [nameKeys],
  });
  return new Map(rows.map((row) => [row.name_key, row.user_id]));
}
