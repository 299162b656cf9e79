-- Up Migration

-- What a registration presents where the operator does not let everyone register.
create table account.invitation (
  invitation_id bigint generated always as identity primary key,
  -- SHA-256 of the code: a reader of this table cannot register with it.
  code_hash bytea not null unique check (length(code_hash) = 32),
  uses integer not null check (uses > 0),
  -- How many accounts were made with it.
  used integer not null default 0 check (used between 0 and uses),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
