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

-- The outbox's own functions, with plans that a connection keeps. They take arrays, for whose length Postgres plans anew each time,
-- which took longer than all else that a registration did here.
create function account.add_job(task text, payload json, due_at timestamptz, key text) returns void
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  perform account_jobs.add_job(task, payload, run_at => due_at, job_key => key);
end
$$;

create function account.remove_jobs(keys text[]) returns void
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  perform account_jobs.remove_job(key) from unnest(keys) as key;
end
$$;
