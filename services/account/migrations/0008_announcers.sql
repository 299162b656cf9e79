-- Up Migration

-- As social.announcer: the account processes, and where each announces the sessions that it ended.
create table account.announcer (
  id uuid primary key,
  place text,
  keep_ms integer not null,
  beat bigint not null default 0,
  is_settled boolean not null default false,
  has_left boolean not null default false
) with (fillfactor = 50);

-- Rows of ended sessions stay for a while: who finds the work done has to know which sessions to announce.
alter table account.session add column ended_at timestamptz;
create index session_end on account.session (ended_at) where ended_at is not null;
