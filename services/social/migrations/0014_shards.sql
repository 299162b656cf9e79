-- Up Migration

-- What looks rows up one after the other, each where its key says: on a cluster a statement cannot do that by itself, so each
-- look-up is one of its own, which needs one shard. On one server a loop takes no longer than a lateral join.

-- Locks these users' profiles in ascending order of id, so that no two writes wait for each other.
create function social.lock_profiles(ids bigint[]) returns setof social.profile
language plpgsql as $$
declare
  wanted bigint;
begin
  for wanted in select distinct id from unnest(ids) as id order by id loop
    return query select * from social.profile where user_id = wanted for update;
  end loop;
end
$$;

-- The statuses that authors have under these ids of an origin.
create function social.statuses_of_origin(of_origin text, author_ids bigint[], origin_ids text[]) returns setof social.status
language plpgsql stable as $$
declare
  wanted record;
begin
  for wanted in select distinct author, original from unnest(author_ids, origin_ids) as given (author, original) loop
    return query select * from social.status
      where author_id = wanted.author and origin = of_origin and origin_id = wanted.original;
  end loop;
end
$$;

-- Where there is room for so many more ids of an author from `first` on: behind the last one within a millisecond (4,096 ids), or
-- else within two, four, and so on, up to the largest id; and whether `first` itself is free. An index finds the last one
-- of a span, so it does not matter how many statuses there are.
create function social.free_ids(of_author bigint, first bigint, room bigint, out start bigint, out is_first_free boolean)
language plpgsql stable as $$
declare
  stop bigint;
begin
  is_first_free := not exists (select from social.status where author_id = of_author and id = first);
  for exponent in 0..41 loop
    stop := least(((first >> 12) + (1::bigint << exponent)) << 12, 1::bigint << 53);
    select id + 1 into start from social.status
      where author_id = of_author and id >= first and id < stop order by id desc limit 1;
    start := coalesce(start, first);
    exit when stop - start >= room;
    start := null;
  end loop;
end
$$;

-- The blocks of which a user is the other side, spread by that user: what a viewer has to do with others is read from one shard,
-- in one state of the viewer. Written with each block.
create table social.blocked (
  user_id bigint not null,
  blocker_id bigint not null,
  primary key (user_id, blocker_id)
);
create index blocked_blocker on social.blocked (blocker_id, user_id);
insert into social.blocked (user_id, blocker_id) select user_id, blocker_id from social.block;
