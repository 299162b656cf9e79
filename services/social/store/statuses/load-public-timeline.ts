import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { type EpochRow, epochColumn } from "../freshness/epoch.ts";
import { sentRow, statusFields, summaryFields } from "../sent-fields.ts";

/** A page as anonymous callers see it. */
export interface PublicTimeline extends EpochRow {
  user_id: bigint;
  protected: boolean;
  suspended: boolean;
  content_version: bigint;
  counters_version: bigint;
  /** The author, as summaryFields. */
  summary: Buffer;
  /** Newest first, each as statusFields; null for an empty page. */
  statuses: Buffer | null;
}

/**
 * One page of the timeline of the user who has this id and this name, or undefined when there is none. One statement, so that
 * author and statuses come from one snapshot and one shard; and one row, whose long values are ready to be encoded.
 */
export async function loadPublicTimeline(
  db: Db,
  { nameKey, userId }: { nameKey: string; userId: bigint },
  page: TimelinePage,
): Promise<PublicTimeline | undefined> {
  const { rows } = await db.query<PublicTimeline>({
    name: "load-public-timeline",
    text: `select profile.user_id, profile.protected, profile.suspended, profile.content_version, profile.counters_version,
             ${epochColumn}, ${sentRow(summaryFields)} as summary, page.statuses
           from social.screen_name join social.profile using (user_id)
           left join lateral (
             select string_agg(${sentRow(statusFields)}, '' order by status.id desc) as statuses
             from (
               select * from social.status
               where author_id = $5 and id > $2 and id <= $3 and not withheld and not restricted
               order by id desc limit $4
             ) as status
           ) as page on true
           where name_key = $1 and profile.user_id = $5`,
    values: [nameKey, page.sinceId, page.maxId, page.take, userId],
  });
  return rows[0];
}
