import type { Db } from "../../../platform/postgres/pool.ts";
import {
  type ProfileRelation,
  type ProfileRow,
  profileColumns,
  profileRelation,
  type StatusRelation,
  type StatusRow,
  statusColumns,
  statusRelation,
} from "../rows.ts";
import type { StatusKey } from "./find-status.ts";

type ShownStatus = ProfileRow & ProfileRelation & StatusRow & StatusRelation;

/** A status with its author and the viewer's relations to both; undefined when it does not exist. */
export async function loadStatus(
  db: Db,
  { authorId, id }: StatusKey,
  viewer: bigint | undefined,
): Promise<ShownStatus | undefined> {
  const { rows } = await db.query<ShownStatus>({
    name: "load-status",
    text: `select ${profileColumns}, ${profileRelation("$3")}, ${statusColumns}, ${statusRelation("$3")}
           from social.status join social.profile on profile.user_id = status.author_id
           where status.author_id = $1 and status.id = $2`,
    values: [authorId, id, viewer ?? null],
  });
  return rows[0];
}
