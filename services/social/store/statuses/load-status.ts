import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { loadRelations } from "../graph/load-relations.ts";
import {
  type ProfileRow,
  profileColumns,
  type ShownProfile,
  type ShownStatus,
  type StatusRow,
  statusColumns,
} from "../rows.ts";
import { type EpochRow, epochColumn } from "../versions.ts";

/** A status with its author, as a viewer sees them. */
type LoadedStatus = ShownProfile &
  ShownStatus &
  EpochRow & {
    /** Whether it repeats a status of a user who has blocked the viewer. */
    original_blocks_viewer: boolean;
    /** Whether it repeats a status of a protected user whose statuses the viewer may not read. */
    is_restricted: boolean;
  };

/** A status with its author and the viewer's relations to both; undefined when it does not exist or is withheld. */
export async function loadStatus(
  db: Db,
  { authorId, id }: StatusKey,
  viewer: bigint | undefined,
): Promise<LoadedStatus | undefined> {
  const { rows } = await db.query<ProfileRow & StatusRow & EpochRow>({
    name: "load-status",
    text: `select ${profileColumns}, ${statusColumns}, ${epochColumn}
           from social.status join social.profile on profile.user_id = status.author_id
           where status.author_id = $1 and status.id = $2 and not status.withheld`,
    values: [authorId, id],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const relations = await loadRelations(db, viewer, [authorId], [[authorId, row]]);
  return {
    ...row,
    ...relations.toUser(authorId),
    ...relations.toStatus(row),
    original_blocks_viewer: relations.isOfBlocker(row),
    is_restricted: relations.isRestricted(row),
  };
}

export type FoundStatus = ProfileRow &
  StatusRow & {
    /** Whether it repeats a status of a suspended author, so that no read shows it. */
    withheld: boolean;
  };

/** A status with its author, and its original if it is a repost; undefined when it does not exist. */
export async function findStatus(db: Db, { authorId, id }: StatusKey): Promise<FoundStatus | undefined> {
  const { rows } = await db.query<FoundStatus>({
    name: "find-status",
    text: `select ${profileColumns}, ${statusColumns}, status.withheld
           from social.status join social.profile on profile.user_id = status.author_id
           where status.author_id = $1 and status.id = $2`,
    values: [authorId, id],
  });
  return rows[0];
}
