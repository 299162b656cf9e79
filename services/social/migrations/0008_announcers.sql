-- Up Migration

-- The social processes that write, and where each announces what it changed: readers may keep tokens only where all do.
create table social.announcer (
  id uuid primary key,
  -- What its Redis holds, by the word of the clock there; '' without REDIS_URL; null while it has not found its Redis and
  -- therefore waits at each write.
  place text,
  -- For how many milliseconds it lets tokens be kept.
  keep_ms integer not null,
  -- Grows while the process lives. Who sees it stand still for long enough deletes the row.
  beat bigint not null default 0,
  -- Whether it has been at this place for longer than any token is kept.
  is_settled boolean not null default false,
  -- Whether it has ended and writes no more. Its row stays for a while: tokens that were kept by its word may still be there.
  has_left boolean not null default false
) with (fillfactor = 50);
