import { agreedPlaceColumn } from "../../../platform/freshness/announcers.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { type EpochRow, epochColumn } from "./epoch.ts";

/** The state of an author, by name key, or of a viewer, without one. */
interface FreshnessRow extends EpochRow {
  name_key: string | null;
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

interface AgreementRow {
  agreed_place: string | null;
  announces_viewers: boolean | null;
}

/**
 * The states of the users who answer to these names, by name key, and of these users as viewers, by id; unknown ones are left
 * out, and suspended authors, of whom anonymous callers see as much. With them, of the same moment, where all social processes
 * announce their changes, and whether those of viewers, in a row of its own, which is there also when all users are unknown.
 */
export async function listFreshness(db: Db, nameKeys: readonly string[], viewerIds: readonly bigint[]) {
  const { rows } = await db.query<(FreshnessRow | { user_id: null }) & AgreementRow>({
    name: "list-freshness",
    text: `select name_key, user_id, content_version, counters_version, ${epochColumn}, null as agreed_place,
             null::boolean as announces_viewers
           from social.screen_name join social.profile using (user_id)
           where name_key = any ($1::text[]) and not suspended
           union all
           select null, user_id, viewer_version, 0, ${epochColumn}, null, null
           from social.profile where user_id = any ($2::bigint[])
           union all
           select null, null, null, null, null, ${agreedPlaceColumn}, bool_and(announces_viewers)
           from social.announcer where not has_left`,
    values: [nameKeys, viewerIds],
  });
  const authors = new Map<string, FreshnessRow>();
  const viewers = new Map<bigint, FreshnessRow>();
  let agreed: AgreementRow = { agreed_place: null, announces_viewers: null };
  for (const row of rows) {
    if (row.user_id === null) agreed = row;
    else if (row.name_key === null) viewers.set(row.user_id, row);
    else authors.set(row.name_key, row);
  }
  return {
    authors,
    viewers,
    agreedPlace: agreed.agreed_place,
    announcesViewers: agreed.announces_viewers ?? false,
  };
}
