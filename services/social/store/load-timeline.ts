import type { Db } from "../../platform/postgres/pool.ts";
import type { TimelinePage } from "../domain/timeline-page.ts";
import {
  type ProfileRelation,
  type ProfileRow,
  profileColumns,
  profileRelation,
  type StatusRelation,
  type StatusRow,
  statusColumns,
  statusRelation,
} from "./rows.ts";

type AuthorRow = ProfileRow & ProfileRelation;
type PageRow = StatusRow & StatusRelation;

export interface Timeline {
  author: AuthorRow;
  /** Newest first. */
  statuses: PageRow[];
}

/**
 * One page of the timeline of the user of that name, or undefined when there is none. One statement, so that author and
 * statuses come from one snapshot, with the viewer's relations to them; the join on `place` sends the author with the first row only.
 */
export async function loadTimeline(
  db: Db,
  screenName: string,
  page: TimelinePage,
  viewer: bigint | undefined,
): Promise<Timeline | undefined> {
  const { rows } = await db.query<AuthorRow & PageRow>({
    name: "load-timeline",
    text: `with author as materialized (
             select 1::bigint as place, profile.*
             from social.screen_name join social.profile using (user_id)
             where name_key = lower($1)
           ), page as (
             select row_number() over (order by newest.id desc) as place, newest.*
             from author, lateral (
               select * from social.status
               where author_id = author.user_id and id > $2 and id <= $3
               order by id desc limit $4
             ) as newest
           )
           select ${profileColumns}, ${profileRelation("$5")}, ${statusColumns}, ${statusRelation("$5")}
           from author as profile full join page as status using (place)
           order by status.id desc`,
    values: [screenName, page.sinceId, page.maxId, page.take, viewer ?? null],
  });
  const author = rows[0];
  if (author === undefined) return undefined;
  return { author, statuses: author.status_id === null ? [] : rows };
}
