-- $1 authors, $2 how many of them wrote much, $3 and $4 how many statuses those and the others wrote; $5 twelve sentences, $6 the words
-- of each by the rules of searches (with blanks between), $7 the number of these rules.
-- `age` counts from the newest, so that datasets of different depth show the same newest pages; rows go in oldest first with
-- those of all users side by side, as time would have written them. `offset 0` keeps each step from being computed again in the next.
insert into social.status (
  author_id, id, text, source, created_at, latitude, longitude, entities, retweet_count, search_rules, words
)
select
  author_id,
  floor(extract(epoch from created_at - timestamptz '2006-01-01 00:00:00+00') * 1000)::bigint << 12,
  body || link || mention || tag || photo,
  case seed % 3 when 0 then 'web' else '<a href="https://apps.example/' || seed % 20 || '" rel="nofollow">App ' || seed % 20 || '</a>' end,
  created_at,
  case seed % 25 when 0 then 53.8 + seed % 1000 / 7000.0 end,
  case seed % 25 when 0 then -1.5 - seed % 1000 / 7000.0 end,
  case photo when '' then '{}' else jsonb_build_object('media', jsonb_build_array(jsonb_build_object(
    'mediaUrl', 'http://images.example/media/' || key || '.jpg',
    'mediaUrlHttps', 'https://images.example/media/' || key || '.jpg',
    'url', substr(photo, 2), 'displayUrl', 'pic.example/' || key, 'type', 'photo',
    'expandedUrl', 'https://www.example/photo/' || key,
    'sizes', '{"thumb":{"w":150,"h":150,"resize":"crop"},"small":{"w":340,"h":255,"resize":"fit"},"medium":{"w":600,"h":450,"resize":"fit"},"large":{"w":1024,"h":768,"resize":"fit"}}'::jsonb,
    'indices', jsonb_build_array(after_tag + 1, after_tag + char_length(photo))))) end
  || jsonb_build_object(
    'urls', case link when '' then '[]' else jsonb_build_array(jsonb_build_object(
      'url', substr(link, 2), 'displayUrl', 'news.example/2012/' || key, 'expandedUrl', 'https://news.example/2012/' || key || '/index.html',
      'indices', jsonb_build_array(after_body + 1, after_body + char_length(link)))) end,
    'userMentions', case mention when '' then '[]' else jsonb_build_array(jsonb_build_object(
      'id', (200000000000000 + other * 4096)::text, 'name', 'Author Number ' || other, 'screenName', 'author' || other,
      'indices', jsonb_build_array(after_link + 1, after_link + char_length(mention)))) end,
    'hashtags', case tag when '' then '[]' else jsonb_build_array(jsonb_build_object(
      'text', substr(tag, 3), 'indices', jsonb_build_array(after_mention + 1, after_mention + char_length(tag)))) end),
  case seed % 4 when 0 then seed % 90 else 0 end,
  $7::int,
  array(select distinct unnest(string_to_array(concat_ws(' ',
    body_words, nullif(substr(mention, 3), ''),
    case when link <> '' then 'sho example ' || key end, case when photo <> '' then 'pic example ' || key end,
    case when tag <> '' then replace(substr(tag, 3), 'ö', 'o') end), ' ')))
from generate_series($3::int, 1, -1) as age
cross join lateral generate_series(1, case when age <= $4::int then $1::int else $2::int end) as n
cross join lateral (
  select
    200000000000000 + n::bigint * 4096 as author_id,
    timestamptz '2014-08-31 00:00:00+00' - age * interval '6 hours' + n * interval '731 milliseconds' as created_at,
    hashint8extended(n::bigint << 20 | age, 7) & 1073741823 as seed
  offset 0
) as drawn
cross join lateral (
  select substr(md5(seed::text), 1, 10) as key, 1 + seed % 1000 as other
  offset 0
) as words
cross join lateral (
  select
    ($5::text[])[1 + seed % 12]
      || case when seed / 12 % 10 < 7 then ' ' || ($5::text[])[1 + seed / 128 % 12] else '' end
      || case when seed / 12 % 10 < 4 then ' ' || ($5::text[])[1 + seed / 2048 % 12] else '' end as body,
    ($6::text[])[1 + seed % 12]
      || case when seed / 12 % 10 < 7 then ' ' || ($6::text[])[1 + seed / 128 % 12] else '' end
      || case when seed / 12 % 10 < 4 then ' ' || ($6::text[])[1 + seed / 2048 % 12] else '' end as body_words,
    case when seed / 64 % 10 < 3 then ' https://sho.example/' || key else '' end as link,
    case when seed / 512 % 10 < 5 then ' @author' || other else '' end as mention,
    case when seed / 4096 % 10 < 3 then ' #' || (array['tides', 'bread', 'trains', 'köln', 'weather'])[1 + seed % 5] else '' end as tag,
    case when seed / 32768 % 10 < 1 then ' https://pic.example/' || key else '' end as photo
  offset 0
) as parts
cross join lateral (
  select
    char_length(body) as after_body, char_length(body || link) as after_link,
    char_length(body || link || mention) as after_mention, char_length(body || link || mention || tag) as after_tag
  offset 0
) as places
