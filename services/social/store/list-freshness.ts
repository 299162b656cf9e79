import type { Db } from "../../platform/postgres/pool.ts";
import { type EpochRow, epochColumn } from "./epoch.ts";

interface FreshnessRow extends EpochRow {
  name_key: string;
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

/** The state of the users who answer to these names, by name key; unknown names are left out. */
export async function listFreshness(db: Db, nameKeys: readonly string[]) {
  const { rows } = await db.query<FreshnessRow>({
    name: "list-freshness",
    text: `select name_key, user_id, content_version, counters_version, ${epochColumn}
           from social.screen_name join social.profile using (user_id) where name_key = any ($1::text[])`,
    values: [nameKeys],
  });
  return new Map(rows.map((row) => [row.name_key, row]));
}
