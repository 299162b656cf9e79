import type { Db } from "../../../platform/postgres/pool.ts";

/** One counter that is not what it should be. */
export interface DriftRow {
  user_id: bigint;
  /** 0 when the counter is the user's own. */
  status_id: bigint;
  field: string;
  stored: bigint;
  counted: bigint;
}

/** One page of a recount: what differs, how many rows were looked at, and the last of them. */
export interface Recount<Place> {
  drifts: DriftRow[];
  recounted: number;
  last: Place | undefined;
}

/** Recounts the `limit` users behind this one, from one snapshot. What should equal what is said in verify_service.proto. */
export async function recountProfiles(db: Db, afterUserId: bigint, limit: number): Promise<Recount<bigint>> {
  const { rows } = await db.query<Partial<DriftRow> & { recounted: number; last: bigint | null }>({
    name: "recount-profiles",
    text: `with page as materialized (
             select * from social.profile where user_id > $1 order by user_id limit $2
           ), drift as (
             select page.user_id, 0::bigint as status_id, field, stored, counted
             from page, lateral (values
               ('followers_count', followers_count::bigint, ${sum(1, "social.follow where follow.user_id = page.user_id")}),
               ('friends_count', friends_count, ${sum(2, "social.follow where follower_id = page.user_id")}),
               ('favourites_count', favourites_count, ${sum(3, "social.favorite where favorite.user_id = page.user_id")}),
               ('statuses_count', statuses_count, ${sum(
                 4,
                 `social.status where author_id = page.user_id
                 and (status.origin is null or import_job is not null)`,
               )}),
               ('last_status_id', coalesce(last_status_id, 0), coalesce((
                 select id from social.status where author_id = page.user_id and not withheld
                 order by id desc limit 1), 0)),
               ('favorites_of_nothing', (
                 select count(*) from social.favorite where favorite.user_id = page.user_id
                   and ${isNowhere("favorite.author_id", "favorite.status_id")}), 0),
               ('reposts_of_nothing', (
                 select count(*) from social.status as repost
                 where repost.author_id = page.user_id and repost.repost_of_id is not null
                   and ${isNowhere("repost.repost_of_author_id", "repost.repost_of_id")}), 0),
               ('relations_with_nobody', (
                 select count(*) from (
                   select follow.user_id as other from social.follow where follower_id = page.user_id
                   union all select follower_id from social.follow where follow.user_id = page.user_id
                   union all select block.user_id from social.block where blocker_id = page.user_id
                   union all select mute.user_id from social.mute where muter_id = page.user_id
                 ) as relation
                 where not exists (select from social.profile where profile.user_id = other)
                   and not exists (select from social.removed_profile as gone where gone.user_id = other)), 0),
               ('follows_across_blocks', (
                 select count(*) from social.follow where follower_id = page.user_id and exists (
                   select from social.block
                   where (blocker_id = page.user_id and block.user_id = follow.user_id)
                     or (blocker_id = follow.user_id and block.user_id = page.user_id))), 0),
               ('reposts_withheld_wrongly', (
                 select count(*) from social.status as repost
                 join social.profile as original on original.user_id = repost.repost_of_author_id
                 where repost.author_id = page.user_id and repost.withheld <> original.suspended), 0)
             ) as counter (field, stored, counted)
             where stored <> counted
           )
           select summary.*, drift.*
           from (select count(*)::integer as recounted, max(user_id) as last from page) as summary left join drift on true
           order by user_id, field`,
    values: [afterUserId, limit],
  });
  return recountOf(rows, rows[0]?.last ?? undefined, limit);
}

/** Recounts the `limit` statuses behind this one, likewise. */
export async function recountStatuses(db: Db, after: { authorId: bigint; id: bigint }, limit: number) {
  const { rows } = await db.query<
    Partial<DriftRow> & { recounted: number; author: bigint | null; last: bigint | null }
  >({
    name: "recount-statuses",
    text: `with page as materialized (
             select author_id, id, retweet_count, imported_retweet_count from social.status
             where (author_id, id) > ($1, $2) order by author_id, id limit $3
           ), drift as (
             select author_id as user_id, id as status_id, 'retweet_count' as field, page.retweet_count::bigint as stored, counted
             from page, lateral (
               select least(coalesce(page.imported_retweet_count, 0) + count(*), 2147483647) as counted
               from social.status as repost
               where repost.repost_of_author_id = page.author_id and repost.repost_of_id = page.id
             ) as reposts
             where page.retweet_count <> counted
           ), last as (
             select author_id as author, id as last from page order by author_id desc, id desc limit 1
           )
           select summary.*, last.*, drift.*
           from (select count(*)::integer as recounted from page) as summary
           left join last on true left join drift on true
           order by user_id, status_id`,
    values: [after.authorId, after.id, limit],
  });
  const { author, last } = rows[0] ?? {};
  return recountOf(rows, author && last ? { authorId: author, id: last } : undefined, limit);
}

/** What the origin said of a counter plus the rows here, never more than the column holds. */
function sum(place: number, rows: string): string {
  return `least(coalesce(imported_counts[${place}], 0) + (select count(*) from ${rows}), 2147483647)`;
}

/** Whether a status is gone, and no deletion is about to undo what is left of it. */
function isNowhere(author: string, id: string): string {
  return `not exists (select from social.status as named where named.author_id = ${author} and named.id = ${id})
    and not exists (select from social.removed_status as gone where gone.author_id = ${author} and gone.id = ${id})`;
}

function recountOf<Place>(
  rows: readonly (Partial<DriftRow> & { recounted: number })[],
  last: Place | undefined,
  limit: number,
): Recount<Place> {
  const recounted = rows[0]?.recounted ?? 0;
  const drifts = rows.filter((row): row is DriftRow & { recounted: number } => typeof row.field === "string");
  return { drifts, recounted, last: recounted < limit ? undefined : last };
}
