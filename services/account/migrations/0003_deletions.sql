-- Up Migration

alter table account.account
  -- Grows when the password is another one: whoever has checked the old one meanwhile comes too late.
  add column password_version integer not null default 0,
  -- Set on an account that only keeps its name from others, until nothing of its person is left in any service.
  add column deleted_at timestamptz,
  add constraint account_deleted_is_empty check
    (deleted_at is null or (password_hash is null and email is null and origin is null));

-- What is left to say of accounts that are gone.
create table account.deletion (
  user_id bigint primary key,
  -- Where an imported account came from: an import never brings back who has left.
  origin text,
  origin_id text,
  requested_at timestamptz not null default now(),
  -- What the social service has deleted so far.
  batches integer not null default 0,
  -- When nothing was left and the name became free.
  completed_at timestamptz,
  check ((origin is null) = (origin_id is null))
);
create index deletion_origin on account.deletion (origin, origin_id) where origin is not null;
