import type { Db } from "../../platform/postgres/pool.ts";

/** What the outbox has before it. */
export interface Backlog {
  /** Jobs that are not done, those that wait for their time included. */
  all: number;
  /** Those whose time has come. */
  due: number;
  /** Seconds for which the oldest of those has been due; 0 when there is none. */
  oldest: number;
}

/** Reads the outbox; jobs that were given up for good do not count. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await db.query<Backlog>({
    name: "read-backlog",
    text: `select count(*)::int as "all", count(*) filter (where run_at <= now())::int as due,
             coalesce(extract(epoch from now() - min(run_at) filter (where run_at <= now())), 0)::float8 as oldest
           from account_jobs.jobs where attempts < max_attempts`,
  });
  return rows[0] as Backlog;
}
