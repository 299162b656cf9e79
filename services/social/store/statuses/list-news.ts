import type { Db } from "../../../platform/postgres/pool.ts";
import { type AuthoredRow, authoredColumns, type ProfileRow, profileColumns } from "../rows.ts";
import { removedAt } from "./list-changes.ts";

/** The author of a timeline, with the state from which its news are told. */
export interface WatchedAuthor extends ProfileRow {
  /** No status of the author that is published from now on has a smaller id. */
  id_watermark: bigint;
  /** When something was last removed, as digits; null for never. */
  removed_at: string | null;
}

/** Undefined when there is no such user. */
export async function findWatchedAuthor(db: Db, userId: bigint): Promise<WatchedAuthor | undefined> {
  const { rows } = await db.query<WatchedAuthor>({
    name: "find-watched-author",
    text: `select ${profileColumns}, id_watermark, ${removedAt} as removed_at from social.profile where user_id = $1`,
    values: [userId],
  });
  return rows[0];
}

/** Up to `limit` statuses of an author after this id, the oldest first, each with its author as of the same moment. */
export async function listNewsOf(db: Db, authorId: bigint, after: bigint, limit: number): Promise<AuthoredRow[]> {
  const { rows } = await db.query<AuthoredRow>({
    name: "list-news-of",
    text: `select ${authoredColumns}
           from social.status join social.profile on profile.user_id = status.author_id
           where status.author_id = $1 and profile.user_id = $1 and status.id > $2 and not withheld
           order by status.id limit $3`,
    values: [authorId, after, limit],
  });
  return rows;
}
