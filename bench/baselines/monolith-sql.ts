const profile = `
  profile.user_id, profile.screen_name, profile.name, profile.location, profile.url, profile.description, profile.lang,
  profile.time_zone, profile.utc_offset, profile.protected, profile.verified, profile.geo_enabled,
  profile.contributors_enabled, profile.followers_count, profile.friends_count, profile.favourites_count,
  profile.statuses_count, profile.profile_image_url, profile.profile_background_image_url,
  profile.profile_background_color, profile.profile_sidebar_border_color, profile.profile_sidebar_fill_color,
  profile.profile_link_color, profile.profile_text_color, profile.profile_background_tile,
  profile.profile_use_background_image, profile.created_at`;

const status = `
  status.id as status_id, status.text, status.source, status.truncated, status.created_at as status_created_at,
  status.in_reply_to_status_id, status.in_reply_to_user_id, status.in_reply_to_screen_name, status.latitude,
  status.longitude, status.entities, status.retweet_count`;

/** A page with its author on the first row: name, sinceId, maxId, take. */
export const timelineSql = `
  with author as materialized (
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
  select ${profile}, ${status}
  from author as profile full join page as status using (place)
  order by status.id desc`;

/** Profiles by name in lower case, each with its newest status. */
export const profilesSql = `
  select ${profile}, ${status}
  from social.profile
  left join social.status on status.author_id = profile.user_id and status.id = profile.last_status_id
  where profile.user_id = any (array(select user_id from social.screen_name where name_key = any ($1::text[])))`;
