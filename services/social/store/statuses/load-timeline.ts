import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { type EpochRow, epochColumn } from "../freshness/epoch.ts";
import {
  type ProfileRow,
  profileColumns,
  type ShownProfile,
  type ShownStatus,
  type StatusRow,
  statusColumns,
} from "../rows.ts";
import { showStatuses } from "./show-statuses.ts";

type AuthorRow = ProfileRow & EpochRow;

export interface Timeline {
  author: ShownProfile & EpochRow;
  /** Newest first. */
  statuses: ShownStatus[];
  /** The users whose relation to the viewer was read. */
  related: readonly bigint[];
}

/**
 * One page of the timeline of the user who has this id and this name, as a viewer sees it, or undefined when there is none. One
 * statement, so that author and statuses come from one snapshot and one shard, and one more, from the viewer's shard. The author is one
 * JSON column of the first row: separate columns would cost thirty nulls in every other row.
 */
export async function loadTimeline(
  db: Db,
  { nameKey, userId }: { nameKey: string; userId: bigint },
  page: TimelinePage,
  viewer: bigint,
): Promise<Timeline | undefined> {
  const { rows } = await db.query<StatusRow & { author: AuthorJson | null }>({
    name: "load-timeline",
    text: `select case row_number() over (order by status.id desc) when 1 then row_to_json(author) end as author,
             ${statusColumns}
           from (
             select ${profileColumns}, ${epochColumn}
             from social.screen_name join social.profile using (user_id)
             where name_key = $1 and profile.user_id = $5
           ) as author left join lateral (
             select * from social.status
             where author_id = $5 and id > $2 and id <= $3 and not withheld
             order by id desc limit $4
           ) as status on true
           order by status.id desc`,
    values: [nameKey, page.sinceId, page.maxId, page.take, userId],
  });
  const [first] = rows;
  if (!first?.author) return undefined;
  const statuses = first.status_id === null ? [] : rows;
  const row = readAuthor(first.author);
  const { relations, shown, newestViewer } = await showStatuses(db, viewer, { authorId: userId, page, statuses });
  return {
    author: { ...row, ...relations.toUser(userId), ...newestViewer },
    statuses: shown,
    related: relations.userIds,
  };
}

/** An author in the JSON form of a row. Ids and versions stay within 2^53-1, so no digit is lost. */
type AuthorJson = {
  [Column in keyof AuthorRow]: AuthorRow[Column] extends bigint
    ? number
    : AuthorRow[Column] extends Date
      ? string
      : AuthorRow[Column];
};

function readAuthor(json: AuthorJson): AuthorRow {
  return {
    ...json,
    user_id: BigInt(json.user_id),
    version: BigInt(json.version),
    content_version: BigInt(json.content_version),
    counters_version: BigInt(json.counters_version),
    created_at: new Date(json.created_at),
  };
}
