-- Up Migration

-- What a write answered, so that the same request again gets the same answer and does nothing. Swept when it is old.
create table social.request (
  -- On whose behalf the write was made.
  user_id bigint not null,
  request_id uuid not null,
  -- Of the RPC's name and the request's content.
  digest bytea not null,
  -- The response message; null only inside the transaction that is at work on it.
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (user_id, request_id)
);
create index request_age on social.request (created_at);

-- Requests from before this table: their content cannot be told any more, so that a repetition is refused, not published twice.
insert into social.request (user_id, request_id, digest, answer, created_at)
select author_id, request_id, '\x', '\x', created_at from social.status where request_id is not null;
alter table social.status drop column request_id, drop column request_digest;

-- BCP 47, as its author says; unknown for imported statuses.
alter table social.status add column lang text;

-- Grows with every change of a field that people write: what if_version is compared with.
alter table social.profile add column version bigint not null default 1;

-- Statuses that are gone while favourites and reposts of them are still to be undone.
create table social.removed_status (
  author_id bigint not null,
  id bigint not null,
  removed_at timestamptz not null default now(),
  primary key (author_id, id)
);

-- Users who are gone for good. A creation that comes late finds them here.
create table social.removed_profile (
  user_id bigint primary key,
  removed_at timestamptz not null default now()
);

-- Who reposted a status, who marked it, and who stands on either side of a relation, newest first.
create index status_reposts on social.status (repost_of_author_id, repost_of_id) where repost_of_id is not null;
create index favorite_status on social.favorite (author_id, status_id);
create index follow_followers on social.follow (user_id, created_at desc, follower_id desc);
create index follow_friends on social.follow (follower_id, created_at desc, user_id desc);
create index follow_request_askers on social.follow_request (user_id, created_at desc, follower_id desc);
