-- Up Migration

-- Part of every freshness token: versions that are given out a second time, after a restored backup, are another state under
-- another epoch. Beside the id it is the row's transaction that counts, which is another one after a restore by pg_restore.
create table social.epoch (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);
insert into social.epoch default values;

-- For an operator, after versions were put back by what the server cannot notice (docs/operations.md).
create function social.renew_epoch() returns void
language sql volatile as $$
  insert into social.epoch default values on conflict (only_row) do update set id = excluded.id
$$;
