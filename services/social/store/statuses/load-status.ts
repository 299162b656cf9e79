import type { Db } from "../../../platform/postgres/pool.ts";
import { type ShownProfile, type ShownStatus, shownProfile, shownStatus } from "../rows.ts";
import type { StatusKey } from "./find-status.ts";

/** A status with its author and the viewer's relations to both; undefined when it does not exist. */
export async function loadStatus(
  db: Db,
  { authorId, id }: StatusKey,
  viewer: bigint | undefined,
): Promise<(ShownProfile & ShownStatus) | undefined> {
  const { rows } = await db.query<ShownProfile & ShownStatus>({
    name: "load-status",
    text: `select ${shownProfile("$3")}, ${shownStatus("$3")}
           from social.status join social.profile on profile.user_id = status.author_id
           where status.author_id = $1 and status.id = $2`,
    values: [authorId, id, viewer ?? null],
  });
  return rows[0];
}
