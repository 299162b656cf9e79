import type { Db } from "../../platform/postgres/pool.ts";
import type { StatusKey } from "../domain/status-key.ts";

/** One counter that is not what it should be. */
export interface DriftRow {
  user_id: bigint;
  /** 0 when the counter is the user's own. */
  status_id: bigint;
  field: string;
  stored: bigint;
  counted: bigint;
}

/** One page of a recount: what differs, how many rows were counted, and the last of them when there may be more. */
export interface Recount<Place> {
  drifts: DriftRow[];
  recounted: number;
  last: Place | undefined;
}

/** When nothing differs, one row without a field stands for the page. */
export type RecountRow = Partial<DriftRow> & { recounted: number };

/** The result of a page of at most `limit` rows, whose last one is at `last`. */
export function recountOf<Place>(rows: readonly RecountRow[], last: Place | undefined, limit: number): Recount<Place> {
  const recounted = rows[0]?.recounted ?? 0;
  const drifts = rows.filter((row): row is DriftRow & { recounted: number } => typeof row.field === "string");
  return { drifts, recounted, last: recounted < limit ? undefined : last };
}

/**
 * Recounts the `limit` users after this one. verify_service.proto says what should equal what. One statement: on one server it
 * reads one snapshot. On a cluster each step runs on all shards and its rows are sent to the next one, since different shards
 * cannot be joined; and each shard has its own snapshot.
 */
export async function recountProfileRows(db: Db, afterUserId: bigint, limit: number): Promise<Recount<bigint>> {
  const { rows } = await db.query<RecountRow & { last: bigint | null }>({
    name: "recount-profiles",
    text: `with page as materialized (
             select user_id, screen_name, followers_count, friends_count, favourites_count, statuses_count, last_status_id,
               last_unrestricted_id, imported_counts
             from social.profile where user_id > $1 order by user_id limit $2
           ), ${Object.entries(steps)
             .map(([name, text]) => `${name} as materialized (${text})`)
             .join(", ")}, drift as (
             select page.user_id, 0::bigint as status_id, field, stored, counted
             from page
             left join followers using (user_id) left join friends using (user_id)
             left join favourites using (user_id) left join statuses using (user_id),
             lateral (values
               ('followers_count', followers_count::bigint, ${sum(1, "followers")}),
               ('friends_count', friends_count, ${sum(2, "friends")}),
               ('favourites_count', favourites_count, ${sum(3, "favourites")}),
               ('statuses_count', statuses_count, ${sum(4, "statuses")}),
               ('last_status_id', coalesce(page.last_status_id, 0), coalesce(newest, 0)),
               ('last_unrestricted_id', coalesce(page.last_unrestricted_id, 0), coalesce(newest_unrestricted, 0)),
               ${faults.map((fault) => `('${fault}', (select count(*) from ${fault} where user_id = page.user_id), 0)`).join(", ")}
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

/** A user of the page. */
const listed = "in (select user_id from page)";

/** Steps that count rows, or find rows that name a status or a user who does not exist; each may use the steps before it. */
const steps = {
  followers: `select user_id, count(*) as followers from social.follow where user_id ${listed} group by user_id`,
  friends: `select follower_id as user_id, count(*) as friends from social.follow where follower_id ${listed} group by follower_id`,
  marks: `select user_id, author_id, status_id from social.favorite where user_id ${listed}`,
  favourites: `select user_id, count(*) as favourites from marks group by user_id`,
  statuses: `
    select author_id as user_id, count(*) filter (where origin is null or import_job is not null) as statuses,
      max(id) filter (where not withheld) as newest,
      max(id) filter (where not withheld and not restricted) as newest_unrestricted
    from social.status where author_id ${listed} group by author_id`,
  reposts: `
    select author_id as user_id, repost_of_author_id as author_id, repost_of_id as status_id, withheld, restricted
    from social.status where author_id ${listed} and repost_of_id is not null`,
  mentions: `select user_id, author_id, status_id from social.mention where user_id ${listed}`,
  named: `
    select author_id, status_id from marks union select author_id, status_id from reposts
    union select author_id, status_id from mentions`,
  there: `select author_id, status_id from named join social.status using (author_id) where id = status_id`,
  // An unfinished deletion will delete these.
  removed: `select author_id, status_id from named join social.removed_status using (author_id) where id = status_id`,
  missing_statuses: `select * from named except select * from there except select * from removed`,
  favorites_of_missing_statuses: `select user_id from marks join missing_statuses using (author_id, status_id)`,
  reposts_of_missing_statuses: `select user_id from reposts join missing_statuses using (author_id, status_id)`,
  mentions_in_missing_statuses: `select user_id from mentions join missing_statuses using (author_id, status_id)`,
  relations: `
    select follower_id as user_id, user_id as other from social.follow where follower_id ${listed}
    union all select user_id, follower_id from social.follow where user_id ${listed}
    union all select blocker_id, user_id from social.block where blocker_id ${listed}
    union all select muter_id, user_id from social.mute where muter_id ${listed}`,
  unknown_users: `
    select other from relations
    except select user_id from social.profile where user_id in (select other from relations)
    except select user_id from social.removed_profile where user_id in (select other from relations)`,
  relations_of_unknown_users: `select user_id from relations join unknown_users using (other)`,
  follows_across_blocks: `
    select follower_id as user_id from social.follow join social.block
      on blocker_id = follower_id and block.user_id = follow.user_id where follower_id ${listed}
    union all
    select follower_id from social.follow join social.blocked
      on blocked.user_id = follower_id and blocker_id = follow.user_id where follower_id ${listed}`,
  // By the user who blocks and by the user who is blocked.
  blocks_on_one_side: `
    (select blocker_id as user_id, user_id as other from social.block where blocker_id ${listed}
     except select blocker_id, user_id from social.blocked where blocker_id ${listed})
    union all
    (select user_id, blocker_id from social.blocked where user_id ${listed}
     except select user_id, blocker_id from social.block where user_id ${listed})`,
  // The key of a name: only A to Z are lowered.
  users_without_name: `
    select user_id from page
    where not exists (select from social.screen_name where name_key = lower(page.screen_name collate "C"))`,
  reposts_withheld_wrongly: `
    select reposts.user_id from reposts join social.profile on profile.user_id = author_id where withheld <> suspended`,
  reposts_restricted_wrongly: `
    select reposts.user_id from reposts join social.profile on profile.user_id = author_id where restricted <> protected`,
};

/** Steps that should find nothing. */
const faults: (keyof typeof steps)[] = [
  "favorites_of_missing_statuses",
  "reposts_of_missing_statuses",
  "mentions_in_missing_statuses",
  "relations_of_unknown_users",
  "follows_across_blocks",
  "blocks_on_one_side",
  "users_without_name",
  "reposts_withheld_wrongly",
  "reposts_restricted_wrongly",
];

/** The origin's count plus the rows here, never more than the column holds. */
function sum(position: number, rows: string): string {
  return `least(coalesce(imported_counts[${position}], 0) + coalesce(${rows}, 0), 2147483647)`;
}

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

interface ProfileStateRow {
  userId: bigint;
  screenName: string;
  deleted: boolean;
}

/** The `limit` users after this one who have a profile or had one that was deleted. */
export async function listProfileStates(db: Db, afterUserId: bigint, limit: number): Promise<ProfileStateRow[]> {
  const { rows } = await db.query<ProfileStateRow>({
    name: "list-profile-states",
    text: `(select user_id as "userId", screen_name as "screenName", false as deleted from social.profile
            where user_id > $1 order by user_id limit $2)
           union all
           (select user_id, '', true from social.removed_profile
            where user_id > $1 and removed_at < 'infinity' order by user_id limit $2)
           order by 1 limit $2`,
    values: [afterUserId, limit],
  });
  return rows;
}
