import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { sentRow, statusFields, summaryFields } from "../sent-fields.ts";
import { type EpochRow, epochColumn } from "../versions/epoch.ts";

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

/** The columns of a PublicTimeline, of relations named `profile` and `page`. */
export const publicTimelineColumns = `profile.user_id, profile.protected, profile.suspended, profile.content_version,
  profile.counters_version, ${epochColumn}, ${sentRow(summaryFields)} as summary, page.statuses`;

/** The select of a page's statuses that all may see. @param of the SQL of each value */
export function publicPage(of: Record<"authorId" | keyof TimelinePage, string>): string {
  return `select string_agg(${sentRow(statusFields)}, '' order by status.id desc) as statuses
    from (
      select * from social.status
      where author_id = ${of.authorId} and id > ${of.sinceId} and id <= ${of.maxId} and not withheld and not restricted
      order by id desc limit ${of.take}
    ) as status`;
}

// Made once, since there are many fields.
const pageOfOne = `select ${publicTimelineColumns}
  from social.screen_name join social.profile using (user_id)
  left join lateral (${publicPage({ authorId: "$5", sinceId: "$2", maxId: "$3", take: "$4" })}) as page on true
  where name_key = $1 and profile.user_id = $5`;

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
    text: pageOfOne,
    values: [nameKey, page.sinceId, page.maxId, page.take, userId],
  });
  return rows[0];
}
