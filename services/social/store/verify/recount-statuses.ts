import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { type Recount, type RecountRow, recountOf } from "./recount.ts";

/** Recounts the `limit` statuses after this one, like recountProfiles. */
export async function recountStatusRows(db: Db, after: StatusKey, limit: number): Promise<Recount<StatusKey>> {
  const { rows } = await db.query<RecountRow & { author: bigint | null; last: bigint | null }>({
    name: "recount-statuses",
    text: `with page as materialized (
             select author_id, id, retweet_count, imported_retweet_count from social.status
             where (author_id, id) > ($1, $2) order by author_id, id limit $3
           ), reposts as materialized (
             select page.author_id, page.id, count(*) as reposts
             from page join social.status as repost
               on repost.repost_of_author_id = page.author_id and repost.repost_of_id = page.id
                and repost.origin is null -- The origin has counted the others.
             group by page.author_id, page.id
           ), recounted as (
             select author_id as user_id, id as status_id, 'retweet_count' as field, retweet_count::bigint as stored,
               least(coalesce(imported_retweet_count, 0) + coalesce(reposts, 0), 2147483647) as counted
             from page left join reposts using (author_id, id)
           ), last as (
             select author_id as author, id as last from page order by author_id desc, id desc limit 1
           )
           select summary.*, last.*, drift.*
           from (select count(*)::integer as recounted from page) as summary
           left join last on true left join (select * from recounted where stored <> counted) as drift on true
           order by user_id, status_id`,
    values: [after.authorId, after.id, limit],
  });
  const { author, last } = rows[0] ?? {};
  return recountOf(rows, author && last ? { authorId: author, id: last } : undefined, limit);
}
