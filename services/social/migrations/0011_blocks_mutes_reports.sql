-- Up Migration

-- Who keeps whom away. Spread by the blocker, like a follow by the follower.
create table social.block (
  blocker_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (blocker_id, user_id),
  check (blocker_id <> user_id)
);
create index block_newest on social.block (blocker_id, created_at desc, user_id desc);
create index block_user on social.block (user_id, blocker_id);

-- Whom a user leaves out of what the user reads.
create table social.mute (
  muter_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (muter_id, user_id),
  check (muter_id <> user_id)
);
create index mute_newest on social.mute (muter_id, created_at desc, user_id desc);
create index mute_user on social.mute (user_id, muter_id);

-- What users tell the operator of others; one row for each reporter and thing, however often it is reported.
create table social.report (
  reporter_id bigint not null,
  user_id bigint not null,
  -- 0 for the user as a whole.
  status_id bigint not null default 0,
  -- By which the operator names it. Of the moment of the report, so that the oldest comes first.
  id bigint not null default social.next_id(clock_timestamp()),
  reason text not null,
  created_at timestamptz not null default now(),
  -- When the operator closed it; null while it is open.
  closed_at timestamptz,
  primary key (reporter_id, user_id, status_id),
  check (reporter_id <> user_id)
);
create index report_open on social.report (id) where closed_at is null;
create index report_id on social.report (id);
create index report_user on social.report (user_id, reporter_id, status_id);
