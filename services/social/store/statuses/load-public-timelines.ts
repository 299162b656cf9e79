import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { type PublicTimeline, publicPage, publicTimelineColumns } from "./load-public-timeline.ts";

/** A page of the timeline of the user who has this id and this name. */
export interface AskedTimeline {
  nameKey: string;
  userId: bigint;
  page: TimelinePage;
}

const ofAsked = { authorId: "asked.user_id", sinceId: "asked.since_id", maxId: "asked.max_id", take: "asked.take" };
const pagesOfAll = `select asked.ordinal::integer, ${publicTimelineColumns}
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
    with ordinality as asked (name_key, user_id, since_id, max_id, take, ordinal)
  join social.screen_name on screen_name.name_key = asked.name_key and screen_name.user_id = asked.user_id
  join social.profile on profile.user_id = asked.user_id
  left join lateral (${publicPage(ofAsked)}) as page on true`;

/**
 * Several pages as load-public-timeline gives them, in one statement and one snapshot: most of a short page's cost is that of its statement.
 * Not for a cluster, where a page should need only its author's shard.
 * @returns page by page; undefined where no user has this id and this name
 */
export async function loadPublicTimelines(
  db: Db,
  asked: readonly AskedTimeline[],
): Promise<(PublicTimeline | undefined)[]> {
  const { rows } = await db.query<PublicTimeline & { ordinal: number }>({
    name: "load-public-timelines",
    text: pagesOfAll,
    values: [
      asked.map(({ nameKey }) => nameKey),
      asked.map(({ userId }) => userId),
      asked.map(({ page }) => page.sinceId),
      asked.map(({ page }) => page.maxId),
      asked.map(({ page }) => page.take),
    ],
  });
  const found = new Map(rows.map((row) => [row.ordinal, row]));
  return asked.map((_, index) => found.get(index + 1));
}
