import type { Db } from "../../../platform/postgres/pool.ts";
import { loadRelations } from "../graph/load-relations.ts";
import {
  type ProfileRow,
  profileColumns,
  type ShownProfile,
  type ShownStatus,
  type StatusRow,
  statusColumns,
} from "../rows.ts";
import { findNewestShown } from "../statuses/show-statuses.ts";
import { type EpochRow, epochColumn } from "../versions.ts";

export type ProfileWithStatus = ShownProfile & FoundProfile<ShownStatus>;

type FoundProfile<Status> = EpochRow &
  ({ status_id: null } | Status) & {
    /** The names of the user; none where no names were asked for. */
    name_keys: string[];
  };

/**
 * The users of these ids with the newest statuses that the viewer may see, each once, in no order. One statement however many,
 * two for a viewer, and up to ten more where newest statuses are hidden from the viewer.
 * @param nameKeys names by which some of them were asked for
 */
export async function listProfiles(
  db: Db,
  userIds: readonly bigint[],
  nameKeys: readonly string[],
  viewer?: bigint,
): Promise<ProfileWithStatus[]> {
  // For an empty list a cluster would ask every shard.
  if (userIds.length === 0) return [];
  const { rows } = await db.query<ProfileRow & FoundProfile<StatusRow>>({
    name: "list-profiles",
    text: `select ${profileColumns}, ${statusColumns}, ${epochColumn}, array(
             select name_key from social.screen_name where $2 and screen_name.user_id = profile.user_id) as name_keys
           from social.profile
           left join social.status on status.author_id = profile.user_id
             and status.id = case when $3 then profile.last_status_id else profile.last_unrestricted_id end
           where profile.user_id = any ($1::bigint[])`,
    values: [userIds, nameKeys.length > 0, viewer !== undefined],
  });
  const withStatus = rows.flatMap((row) => (row.status_id === null ? [] : [[row.user_id, row] as const]));
  const relations = await loadRelations(db, viewer, userIds, withStatus);
  // In place: copies of fifty columns each would cost more than the read.
  const shown = rows.map((row) => {
    if (row.status_id !== null) Object.assign(row, relations.toStatus(row));
    return Object.assign(row, relations.toUser(row.user_id));
  });
  const hidden = withStatus.filter(([userId, row]) => relations.isHidden(userId, row));
  if (viewer === undefined || hidden.length === 0) return shown;
  const { found, newestViewer } = await findNewestShown(db, viewer, hidden, relations);
  for (const [userId, row] of hidden) Object.assign(row, found.get(userId));
  const deleted = new Set(hidden.flatMap(([userId]) => (found.has(userId) ? [] : [userId])));
  return shown.flatMap((row) => (deleted.has(row.user_id) ? [] : [Object.assign(row, newestViewer)]));
}
