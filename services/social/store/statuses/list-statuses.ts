import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import type { TimelineRange } from "../../domain/timeline-cursor.ts";
import { type AuthoredRow, authoredColumns, keyedStatuses } from "../rows.ts";

/** The statuses of these keys that exist and are not withheld, with their authors, in no order. */
export async function listStatuses(db: Db, isCluster: boolean, keys: readonly StatusKey[]): Promise<AuthoredRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<AuthoredRow>({
    name: isCluster ? "list-statuses-of-cluster" : "list-statuses",
    text: `select ${authoredColumns} from ${keyedStatuses(isCluster)} where not withheld`,
    values: [keys.map(({ authorId }) => authorId), keys.map(({ id }) => id)],
  });
  return rows;
}

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

/**
 * The newest statuses of all authors before a position, or the oldest ones from an id on, without replies and reposts. Those that not
 * every caller may read are among them: a statement that skipped them might have to look at any number of rows.
 */
export async function listPublic(db: Db, range: TimelineRange, limit: number): Promise<AuthoredRow[]> {
  const { rows } = await db.query<AuthoredRow>(
    "before" in range
      ? { name: "list-public-before", text: before, values: [range.before.id, range.before.authorId, limit] }
      : { name: "list-public-from", text: from, values: [range.from, limit] },
  );
  return rows;
}

// The condition of the index status_public.
const plain = `status.repost_of_id is null and status.in_reply_to_status_id is null
            and status.in_reply_to_user_id is null and status.in_reply_to_screen_name is null`;

function select(range: string, order: string, limit: string): string {
  return `select ${authoredColumns}
          from social.status join social.profile on profile.user_id = status.author_id
          where ${plain} and ${range}
          order by status.id ${order}, status.author_id ${order} limit ${limit}`;
}

const before = select("(status.id, status.author_id) < ($1, $2)", "desc", "$3");
const from = select("status.id >= $1", "asc", "$2");
