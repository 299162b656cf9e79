-- Up Migration

-- Changes of passwords by the ids of their requests, so that the same request again is told from a wrong password. No digest of a
-- password is here: a request stands for the password that has this version. Swept when it is old.
create table account.password_request (
  user_id bigint not null,
  request_id uuid not null,
  -- Of the account, since this change.
  password_version integer not null,
  created_at timestamptz not null default now(),
  primary key (user_id, request_id)
);
create index password_request_age on account.password_request (created_at);
