import type { Db } from "../../../platform/postgres/pool.ts";
import { type ShownProfile, type ShownStatus, shownProfile, shownStatus } from "../rows.ts";
import type { StatusKey } from "./find-status.ts";

/** A status with its author, as a viewer sees them. */
export type LoadedStatus = ShownProfile &
  ShownStatus & {
    /** Whether it repeats a status of a user who has blocked the viewer. */
    original_blocks_viewer: boolean;
  };

/** A status with its author and the viewer's relations to both; undefined when it does not exist or is withheld. */
export async function loadStatus(
  db: Db,
  { authorId, id }: StatusKey,
  viewer: bigint | undefined,
): Promise<LoadedStatus | undefined> {
  const { rows } = await db.query<LoadedStatus>({
    name: "load-status",
    text: `select ${shownProfile("$3")}, ${shownStatus("$3")},
             $3::bigint is not null and exists (
               select from social.block where blocker_id = status.repost_of_author_id and block.user_id = $3
             ) as original_blocks_viewer
           from social.status join social.profile on profile.user_id = status.author_id
           where status.author_id = $1 and status.id = $2 and not status.withheld`,
    values: [authorId, id, viewer ?? null],
  });
  return rows[0];
}
