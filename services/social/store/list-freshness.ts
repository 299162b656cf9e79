import type { Db } from "../../platform/postgres/pool.ts";

/** The state of the users who answer to these names, by name key; unknown names are left out. */
export async function listFreshness(db: Db, nameKeys: readonly string[]) {
  const { rows } = await db.query<{
    name_key: string;
    user_id: bigint;
    content_version: bigint;
    counters_version: bigint;
  }>({
    name: "list-freshness",
    text: `select name_key, user_id, content_version, counters_version
           from social.screen_name join social.profile using (user_id) where name_key = any ($1::text[])`,
    values: [nameKeys],
  });
  return new Map(rows.map((row) => [row.name_key, row]));
}
