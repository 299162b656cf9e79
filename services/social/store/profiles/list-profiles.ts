import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import { type EpochRow, epochColumn } from "../freshness/epoch.ts";
import { isShownTo, type ShownProfile, type ShownStatus, shownProfile, shownStatus } from "../rows.ts";

export type ProfileWithStatus = ShownProfile & EpochRow & ({ status_id: null } | ShownStatus);

/** The users of these ids and names with the newest statuses that the viewer is shown, each once, in no order. One statement however many. */
export async function listProfiles(
  db: Db,
  userIds: readonly bigint[],
  screenNames: readonly string[],
  viewer?: bigint,
): Promise<ProfileWithStatus[]> {
  const { rows } = await db.query<ProfileWithStatus>({
    name: "list-profiles",
    text: `select ${shownProfile("$3")}, ${shownStatus("$3")}, ${epochColumn}
           from social.profile
           left join social.status on status.author_id = profile.user_id and status.id = case when $3::bigint is null
             then profile.last_status_id
             else (select id from social.status where author_id = profile.user_id and ${isShownTo("$3")}
                   order by id desc limit 1)
             end
           where profile.user_id = any ($1::bigint[] || array(
             select user_id from social.screen_name where name_key = any ($2::text[])))`,
    values: [userIds, screenNames.map(nameKey), viewer ?? null],
  });
  return rows;
}
