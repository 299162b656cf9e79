import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { type EpochRow, epochColumn } from "../freshness/epoch.ts";
import { isShownTo, type ShownProfile, type ShownStatus, shownProfile, shownStatus } from "../rows.ts";

type AuthorRow = ShownProfile & EpochRow;

export interface Timeline {
  author: AuthorRow;
  /** Newest first. */
  statuses: ShownStatus[];
}

/**
 * One page of the timeline of the user of that name, or undefined when there is none. One statement, so that author and
 * statuses come from one snapshot, with the viewer's relations to them. The author travels as one JSON column of the first
 * row: as columns of their own they would cost every row the reading of thirty nulls.
 */
export async function loadTimeline(
  db: Db,
  screenName: string,
  page: TimelinePage,
  viewer: bigint | undefined,
): Promise<Timeline | undefined> {
  const { rows } = await db.query<ShownStatus & { author: AuthorJson | null }>({
    name: "load-timeline",
    text: `select case row_number() over (order by status.id desc) when 1 then row_to_json(author) end as author,
             ${shownStatus("$5")}
           from (
             select ${shownProfile("$5")}, ${epochColumn}
             from social.screen_name join social.profile using (user_id)
             where name_key = $1
           ) as author left join lateral (
             select * from social.status
             where author_id = author.user_id and id > $2 and id <= $3 and ${isShownTo("$5")}
             order by id desc limit $4
           ) as status on true
           order by status.id desc`,
    values: [nameKey(screenName), page.sinceId, page.maxId, page.take, viewer ?? null],
  });
  const [first] = rows;
  const author = first?.author ?? undefined;
  if (first === undefined || author === undefined) return undefined;
  return { author: readAuthor(author), statuses: first.status_id === null ? [] : rows };
}

/** An author as JSON spells a row. Ids and versions stay within 2^53-1, so no digit is lost. */
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
