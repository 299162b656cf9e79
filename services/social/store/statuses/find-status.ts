import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { type ProfileRow, profileColumns, type StatusRow, statusColumns } from "../rows.ts";

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
