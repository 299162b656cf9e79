-- Up Migration

-- As before, in another language: a function in SQL is parsed and planned again in each statement that calls it, which took longer
-- than all else that a publication does under its author's lock.
create or replace function social.next_id(at timestamptz) returns bigint
language plpgsql volatile as $$
begin
  return (floor(extract(epoch from at - timestamptz '2006-01-01 00:00:00+00') * 1000)::bigint << 12)
       | ((select node from social.id_node)::bigint << 7)
       | nextval('social.id_sequence');
end
$$;

-- Most statuses are neither imported nor reposts: they need no entry in an index of those.
alter table social.status drop constraint status_origin_key, drop constraint status_repost_key;
create unique index status_origin_key on social.status (author_id, origin, origin_id) where origin is not null;
create unique index status_repost_key on social.status (author_id, repost_of_author_id, repost_of_id)
  where repost_of_id is not null;
