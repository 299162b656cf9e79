import type { Db } from "../../platform/postgres/pool.ts";
import type { JobKey } from "../domain/import-job.ts";

/** How many statuses of a job stand. */
export async function countImported(db: Db, { authorId, id }: JobKey): Promise<bigint> {
  const { rows } = await db.query<{ count: bigint }>({
    name: "count-imported",
    text: `select count(*) from social.status where author_id = $1 and import_job = $2`,
    values: [authorId, id],
  });
  return rows[0]?.count ?? 0n;
}

/**
 * Takes at most `most` statuses of a job off its author's timeline, newest first, and returns how many those were: the
 * counter and the newest status move in the same step.
 */
export async function deleteImported(db: Db, { authorId, id }: JobKey, most: number): Promise<number> {
  const { rows } = await db.query<{ removed: bigint }>({
    name: "delete-imported",
    text: `with gone as (
             delete from social.status where author_id = $1 and id in (
               select id from social.status where author_id = $1 and import_job = $2 order by id desc limit $3)
             returning id
           ), moved as (
             update social.profile set
               statuses_count = greatest(statuses_count - (select count(*) from gone), 0),
               last_status_id = (
                 select id from social.status where author_id = $1 and id not in (select id from gone)
                 order by id desc limit 1),
               content_version = content_version + 1
             where user_id = $1 and exists (select from gone)
           )
           select count(*) as removed from gone`,
    values: [authorId, id, most],
  });
  return Number(rows[0]?.removed ?? 0n);
}
