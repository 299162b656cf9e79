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

/** Those of these users that exist. */
export async function listWatchedAuthors(db: Db, userIds: readonly bigint[]): Promise<WatchedAuthor[]> {
  const { rows } = await db.query<WatchedAuthor>({
    name: "list-watched-authors",
    text: `select ${profileColumns}, id_watermark, ${removedAt} as removed_at
           from social.profile where user_id = any ($1::bigint[])`,
    values: [userIds],
  });
  return rows;
}

/** A user's statuses from an id on. */
export interface NewsOf {
  authorId: bigint;
  from: bigint;
}

/** Up to `limit` of such statuses that are not withheld, the oldest first, each with its author as of the same moment. */
export async function listNewsOf(
  db: Db,
  isCluster: boolean,
  authors: readonly NewsOf[],
  limit: number,
): Promise<AuthoredRow[]> {
  const { rows } = await db.query<AuthoredRow>({
    name: isCluster ? "list-news-of-cluster" : "list-news-of",
    text: `select ${authoredColumns}
           from unnest($1::bigint[], $2::bigint[]) as wanted (author, first)
           ${isCluster ? newsOfCluster : newsOfServer}
           order by status.id, status.author_id limit $3`,
    values: [authors.map(({ authorId }) => authorId), authors.map(({ from }) => from), limit],
  });
  return rows;
}

// Otherwise Postgres may read all statuses of each author.
const newsOfServer = `
  cross join lateral (
    select * from social.status where author_id = author and id >= first and not withheld order by id limit $3
  ) as status
  join social.profile on profile.user_id = author`;

// The authors are also given as a list, so that a cluster asks their shards only.
const newsOfCluster = `
  join social.status on status.author_id = author and status.id >= first and status.author_id = any ($1::bigint[])
    and not withheld
  join social.profile on profile.user_id = status.author_id and profile.user_id = any ($1::bigint[])`;
