-- $1 authors.
insert into social.profile (
  user_id, screen_name, name, location, url, description, lang, time_zone, utc_offset, verified, geo_enabled,
  followers_count, friends_count, favourites_count, profile_image_url, profile_background_image_url,
  profile_use_background_image, created_at
)
select
  200000000000000 + n * 4096,
  'author' || n,
  'Author Number ' || n || case n % 7 when 0 then ' ✿' else '' end,
  (array['Leeds, England', 'Köln', 'São Paulo', '東京', 'Austin, TX', ''])[n % 6 + 1],
  case n % 3 when 0 then null else 'https://www.example/people/' || n end,
  'Writes about tides, bread and trains. "Opinions" are mine, mistakes as well; replies may take a day or ' || n % 9 || '.',
  (array['en', 'de', 'pt', 'ja'])[n % 4 + 1],
  case n % 5 when 0 then null else 'Pacific Time (US & Canada)' end,
  case n % 5 when 0 then null else -28800 end,
  n % 100 = 0,
  n % 4 = 0,
  n * 7919 % 100000,
  n * 31 % 2000,
  n * 17 % 5000,
  'https://images.example/profile/' || md5(n::text) || '_normal.jpeg',
  'https://images.example/themes/theme' || n % 20 || '/bg.png',
  n % 9 > 0,
  timestamptz '2009-03-01 12:00:00+00' + n * interval '1 hour'
from generate_series(1, $1::int) as n
