-- Up Migration

-- Spread by follower: a viewer's relations are asked for most.
create table social.follow (
  follower_id bigint not null,
  user_id bigint not null,
  notifications boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (follower_id, user_id),
  check (follower_id <> user_id)
);

create table social.follow_request (
  follower_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (follower_id, user_id),
  check (follower_id <> user_id)
);

create table social.favorite (
  user_id bigint not null,
  author_id bigint not null,
  status_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (user_id, author_id, status_id)
);

-- A repost is a status of the reposter that names the status it repeats; one each.
alter table social.status
  add column repost_of_author_id bigint,
  add column repost_of_id bigint,
  add constraint status_repost_key unique (author_id, repost_of_author_id, repost_of_id);
