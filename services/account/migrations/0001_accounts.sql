-- Up Migration

-- Ids (design section 4): milliseconds since 2006-01-01T00:00Z, 41 bits; node, 5 bits; sequence, 7 bits.
create table account.id_node (
  only_row boolean primary key default true check (only_row),
  node smallint not null check (node between 0 and 31)
);
insert into account.id_node (node) values (0);

create sequence account.id_sequence minvalue 0 maxvalue 127 cycle;

create function account.next_id(at timestamptz) returns bigint
language sql volatile as $$
  select (floor(extract(epoch from at - timestamptz '2006-01-01 00:00:00+00') * 1000)::bigint << 12)
       | ((select node from account.id_node)::bigint << 7)
       | nextval('account.id_sequence')
$$;

create table account.account (
  user_id bigint primary key,
  user_name text not null,
  -- The database alone decides whether two names are the same.
  name_key text not null generated always as (lower(user_name)) stored,
  email text,
  email_key text generated always as (lower(email)) stored,
  first_name text not null default '',
  last_name text not null default '',
  display_name text not null,
  -- Argon2id in PHC form; null while an imported account has not been claimed.
  password_hash text,
  claimed boolean not null,
  -- Where an imported account comes from, and its id there.
  origin text,
  origin_id text,
  created_at timestamptz not null,
  constraint account_name_key unique (name_key),
  constraint account_email_key unique (email_key),
  constraint account_origin_key unique (origin, origin_id),
  check (claimed = (password_hash is not null)),
  check ((origin is null) = (origin_id is null))
);

create table account.session (
  -- SHA-256 of the session id: a reader of this table cannot sign in with it.
  id_hash bytea primary key check (length(id_hash) = 32),
  user_id bigint not null references account.account on delete cascade,
  signed_in boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_of_user on account.session (user_id);
