import type { Db } from "../../../platform/postgres/pool.ts";
import { type Recount, type RecountRow, recountOf } from "./recount.ts";

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
