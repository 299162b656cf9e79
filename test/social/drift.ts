import type { TestDatabase } from "../support/postgres.ts";

/** Wrong counters and references to missing rows, by SQL that is independent of the service's own recount. */
export function listDrift(database: TestDatabase): Promise<Record<string, unknown>[]> {
  return database.query(`
    select 'profile' as what, user_id, null as id from social.profile where
      friends_count <> coalesce(imported_counts[2], 0) + (select count(*) from social.follow where follower_id = profile.user_id)
      or followers_count <> coalesce(imported_counts[1], 0)
        + (select count(*) from social.follow where follow.user_id = profile.user_id)
      or favourites_count <> coalesce(imported_counts[3], 0)
        + (select count(*) from social.favorite where favorite.user_id = profile.user_id)
      or statuses_count <> coalesce(imported_counts[4], 0)
        + (select count(*) from social.status where author_id = profile.user_id and (origin is null or import_job is not null))
      or last_status_id is distinct from (select max(id) from social.status where author_id = profile.user_id and not withheld)
      or last_unrestricted_id is distinct from (
        select max(id) from social.status where author_id = profile.user_id and not withheld and not restricted)
      or reposts_due is not null
    union all
    select 'status', author_id, id from social.status where retweet_count <> coalesce(imported_retweet_count, 0)
      + (select count(*) from social.status as repost
         where repost.repost_of_author_id = status.author_id and repost.repost_of_id = status.id)
    union all
    select 'favorite', user_id, status_id from social.favorite
    where not exists (select from social.status where status.author_id = favorite.author_id and id = status_id)
    union all
    select 'repost', author_id, id from social.status where repost_of_id is not null and not exists (
      select from social.status as original
      where original.author_id = status.repost_of_author_id and original.id = status.repost_of_id)
    union all
    select 'follow', follower_id, follow.user_id from social.follow
    where not exists (select from social.profile where profile.user_id = follow.user_id)
       or not exists (select from social.profile where profile.user_id = follower_id)
    union all
    select 'block', blocker_id, follow.user_id from social.block join social.follow
      on (follower_id = blocker_id and follow.user_id = block.user_id) or (follower_id = block.user_id and follow.user_id = blocker_id)
    union all
    select 'request across a block', blocker_id, asked.user_id from social.block join social.follow_request as asked
      on (follower_id = blocker_id and asked.user_id = block.user_id) or (follower_id = block.user_id and asked.user_id = blocker_id)
    union all
    select 'blocked', blocker_id, user_id from social.block
    where not exists (select from social.profile where profile.user_id = block.user_id)
       or not exists (select from social.profile where profile.user_id = blocker_id)
    union all
    (select 'blocked on one side', blocker_id, user_id from social.block
     except select 'blocked on one side', blocker_id, user_id from social.blocked)
    union all
    (select 'blocked on the other side', blocker_id, user_id from social.blocked
     except select 'blocked on the other side', blocker_id, user_id from social.block)
    union all
    select 'muted', muter_id, user_id from social.mute
    where not exists (select from social.profile where profile.user_id = mute.user_id)
       or not exists (select from social.profile where profile.user_id = muter_id)
    union all
    select 'withheld', author_id, id from social.status where withheld <> exists (
      select from social.profile where profile.user_id = status.repost_of_author_id and suspended)
    union all
    select 'restricted', author_id, id from social.status where restricted <> exists (
      select from social.profile where profile.user_id = status.repost_of_author_id and protected)
    union all
    select 'removed', author_id, id from social.removed_status`);
}
