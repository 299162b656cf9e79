import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import type { StoredEntities } from "../rows.ts";
import { deleteWords } from "../search/status-words.ts";
import { deleteMentions } from "./mentions.ts";

/** A status that was just deleted. */
export interface DeletedStatus {
  author_id: bigint;
  id: bigint;
  repost_of_author_id: bigint | null;
  repost_of_id: bigint | null;
  /** Whether an import added it: the origin has counted an imported repost. */
  imported: boolean;
  entities: StoredEntities;
  /** By which searches found it; null for none. */
  words: string[] | null;
}

/**
 * Deletes statuses, whose authors' rows are locked, and returns those that existed. Counters, the newest status and the content
 * version change in the same statement; statuses that came with an imported profile were never counted. All except reposts are
 * listed in removed_status, so that store/statuses/undo-removed.ts can delete marks and reposts of them; marks of a repost belong
 * to its original. The authors are also given as a list, so that a cluster asks their shards only.
 */
export async function deleteStatuses(db: Db, keys: readonly StatusKey[]): Promise<DeletedStatus[]> {
  const authors = keys.map((key) => key.authorId);
  const { rows } = await db.query<DeletedStatus>({
    name: "delete-statuses",
    text: `with gone as (
             delete from social.status using unnest($1::bigint[], $2::bigint[]) as wanted (author, status_id)
             where author_id = author and id = status_id and author_id = any ($3::bigint[])
             returning author_id, id, origin is null or import_job is not null as counted, repost_of_author_id, repost_of_id,
               origin is not null as imported, entities, words
           ), counted as (
             select author_id, count(*) filter (where counted) as statuses,
               count(repost_of_id) as reposts
             from gone group by author_id
           ), moved as (
             update social.profile set
               statuses_count = greatest(statuses_count - counted.statuses, 0),
               -- This statement still sees what it deletes.
               last_status_id = (
                 select id from social.status
                 where author_id = user_id and author_id = any ($3::bigint[]) and not withheld
                   and not (id = any (select gone.id from gone where gone.author_id = user_id))
                 order by id desc limit 1
               ),
               last_unrestricted_id = (
                 select id from social.status
                 where author_id = user_id and author_id = any ($3::bigint[]) and not withheld and not restricted
                   and not (id = any (select gone.id from gone where gone.author_id = user_id))
                 order by id desc limit 1
               ),
               content_version = content_version + 1,
               removed_at = statement_timestamp(),
               viewer_version = viewer_version + counted.reposts
             from counted where user_id = counted.author_id and user_id = any ($3::bigint[])
           )
           select author_id, id, repost_of_author_id, repost_of_id, imported, entities, words from gone`,
    values: [authors, keys.map((key) => key.id), [...new Set(authors)]],
  });
  const own = rows.filter((status) => status.repost_of_id === null);
  await deleteMentions(
    db,
    own.map(({ author_id: authorId, id, entities }) => ({ authorId, id, entities })),
  );
  await deleteWords(
    db,
    rows.flatMap(({ author_id: authorId, id, words }) => (words === null ? [] : [{ authorId, id, words }])),
  );
  await noteRemoved(db, own);
  return rows;
}

/** Lists statuses whose marks and reposts are to be deleted. By a statement of its own: within the deletion a cluster would send the rows to every server. */
export async function noteRemoved(db: Db, statuses: readonly { author_id: bigint; id: bigint }[]): Promise<void> {
  if (statuses.length === 0) return;
  await db.query({
    name: "insert-removed",
    text: `insert into social.removed_status (author_id, id) select * from unnest($1::bigint[], $2::bigint[]) on conflict do nothing`,
    values: [statuses.map((status) => status.author_id), statuses.map((status) => status.id)],
  });
}

/** The authors of the originals of these statuses, where they are reposts. */
export async function listRepostedAuthors(db: Db, keys: readonly StatusKey[]): Promise<bigint[]> {
  const { rows } = await db.query<{ author: bigint }>({
    name: "list-reposted-authors",
    text: `select distinct repost_of_author_id as author
           from social.status join unnest($1::bigint[], $2::bigint[]) as wanted (author_id, id) using (author_id, id)
           where repost_of_author_id is not null and author_id = any ($1::bigint[])`,
    values: [keys.map((key) => key.authorId), keys.map((key) => key.id)],
  });
  return rows.map((row) => row.author);
}

/** Subtracts deleted reposts from the counts of their originals, whose authors' rows are locked. */
export async function uncountReposts(db: Db, deleted: readonly DeletedStatus[]): Promise<void> {
  const reposts = deleted.filter((status) => status.repost_of_id !== null && !status.imported);
  if (reposts.length === 0) return;
  await db.query({
    name: "uncount-reposts",
    text: `with gone as (
             select author_id, id, count(*) as reposts
             from unnest($1::bigint[], $2::bigint[]) as original (author_id, id) group by author_id, id
           ), uncounted as (
             update social.status set retweet_count = greatest(retweet_count - reposts, 0)
             from gone where status.author_id = gone.author_id and status.id = gone.id and status.author_id = any ($1::bigint[])
             returning status.author_id
           )
           update social.profile set counters_version = counters_version + 1
           where user_id in (select author_id from uncounted) and user_id = any ($1::bigint[])`,
    values: [reposts.map((status) => status.repost_of_author_id), reposts.map((status) => status.repost_of_id)],
  });
}
