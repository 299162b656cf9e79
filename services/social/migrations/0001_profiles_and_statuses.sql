-- Up Migration

-- Ids (design section 4): milliseconds since 2006-01-01T00:00Z, 41 bits; node, 5 bits; sequence, 7 bits.
create table social.id_node (
  only_row boolean primary key default true check (only_row),
  node smallint not null check (node between 0 and 31)
);
insert into social.id_node (node) values (0);

create sequence social.id_sequence minvalue 0 maxvalue 127 cycle;

create function social.next_id(at timestamptz) returns bigint
language sql volatile as $$
  select (floor(extract(epoch from at - timestamptz '2006-01-01 00:00:00+00') * 1000)::bigint << 12)
       | ((select node from social.id_node)::bigint << 7)
       | nextval('social.id_sequence')
$$;

-- Who answers to a name. The account service decides who gets which; this is its copy, spread by name.
create table social.screen_name (
  name_key text primary key,
  user_id bigint not null
);
create index screen_name_user on social.screen_name (user_id);

create table social.profile (
  user_id bigint primary key,
  screen_name text not null,
  name text not null,
  location text not null default '',
  url text,
  description text not null default '',
  lang text not null default 'en',
  time_zone text,
  utc_offset integer,
  protected boolean not null default false,
  verified boolean not null default false,
  geo_enabled boolean not null default false,
  contributors_enabled boolean not null default false,
  followers_count integer not null default 0 check (followers_count >= 0),
  friends_count integer not null default 0 check (friends_count >= 0),
  favourites_count integer not null default 0 check (favourites_count >= 0),
  statuses_count integer not null default 0 check (statuses_count >= 0),
  profile_image_url text not null default '',
  profile_background_image_url text not null default '',
  profile_background_color text not null default 'C0DEED',
  profile_sidebar_border_color text not null default 'C0DEED',
  profile_sidebar_fill_color text not null default 'DDEEF6',
  profile_link_color text not null default '0084B4',
  profile_text_color text not null default '333333',
  profile_background_tile boolean not null default false,
  profile_use_background_image boolean not null default true,
  created_at timestamptz not null,
  -- Grows with every change that the author or privacy makes.
  content_version bigint not null default 1,
  -- Grows with every change that others make.
  counters_version bigint not null default 1,
  -- The newest status that stands.
  last_status_id bigint,
  -- The largest status id ever given to this author: the next one is larger, whatever clocks and deletions do.
  id_watermark bigint not null default 0,
  -- Where an imported profile comes from, its id there, and a digest of what came.
  origin text,
  origin_id text,
  import_digest bytea
);
create index profile_origin on social.profile (origin, origin_id) where origin is not null;

create table social.status (
  author_id bigint not null,
  id bigint not null,
  text text not null,
  source text not null,
  truncated boolean not null default false,
  created_at timestamptz not null,
  in_reply_to_status_id bigint,
  in_reply_to_user_id bigint,
  in_reply_to_screen_name text,
  latitude double precision,
  longitude double precision,
  entities jsonb not null,
  retweet_count integer not null default 0 check (retweet_count >= 0),
  -- The publishing request and a digest of it, so that repeating it publishes nothing.
  request_id uuid,
  request_digest bytea,
  origin text,
  origin_id text,
  import_digest bytea,
  primary key (author_id, id),
  constraint status_request_key unique (author_id, request_id),
  constraint status_origin_key unique (author_id, origin, origin_id),
  check ((latitude is null) = (longitude is null))
);
