import type { Db } from "../../../platform/postgres/pool.ts";
import { agreedPlaceColumn } from "./announcers.ts";
import { type EpochRow, epochColumn } from "./epoch.ts";

interface FreshnessRow extends EpochRow {
  name_key: string;
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

/**
 * The state of the users who answer to these names, by name key; unknown names are left out. With it, of the same moment,
 * where all social processes announce their changes, in a row of its own, which is there also when all names are unknown.
 */
export async function listFreshness(db: Db, nameKeys: readonly string[]) {
  const { rows } = await db.query<FreshnessRow & { agreed_place: string | null }>({
    name: "list-freshness",
    text: `select name_key, user_id, content_version, counters_version, ${epochColumn}, null as agreed_place
           from social.screen_name join social.profile using (user_id) where name_key = any ($1::text[])
           union all
           select null, null, null, null, null, ${agreedPlaceColumn}`,
    values: [nameKeys],
  });
  const states = new Map<string | null, FreshnessRow>(rows.map((row) => [row.name_key, row]));
  return { states, agreedPlace: rows.find((row) => row.name_key === null)?.agreed_place ?? null };
}
