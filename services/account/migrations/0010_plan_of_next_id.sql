-- Up Migration

-- As before, in another language: a function in SQL is parsed and planned again in each statement that calls it.
create or replace function account.next_id(at timestamptz) returns bigint
language plpgsql volatile as $$
begin
  return (floor(extract(epoch from at - timestamptz '2006-01-01 00:00:00+00') * 1000)::bigint << 12)
       | ((select node from account.id_node)::bigint << 7)
       | nextval('account.id_sequence');
end
$$;
