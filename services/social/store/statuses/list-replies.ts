import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { type AuthoredRow, authoredColumns } from "../rows.ts";

/** The statuses that answer a status directly, the oldest first, after a position. */
export async function listReplies(
  db: Db,
  answered: StatusKey,
  after: StatusKey,
  limit: number,
): Promise<AuthoredRow[]> {
  const { rows } = await db.query<AuthoredRow>({
    name: "list-replies",
    text: `select ${authoredColumns}
           from social.status join social.profile on profile.user_id = status.author_id
           where in_reply_to_user_id = $1 and in_reply_to_status_id = $2 and (status.id, status.author_id) > ($3, $4)
           order by status.id, status.author_id limit $5`,
    values: [answered.authorId, answered.id, after.id, after.authorId, limit],
  });
  return rows;
}
