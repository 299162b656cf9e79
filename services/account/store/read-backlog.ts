import type { Db } from "../../platform/postgres/pool.ts";

/** The backlog of the outbox. */
export interface Backlog {
  /** Jobs that are not done, also those that are not due yet. */
  all: number;
  /** Jobs that are due. */
  due: number;
  /** Seconds for which the oldest of those has been due; 0 when there is none. */
  oldest: number;
}

/** Reads the outbox. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await db.query<Backlog>({
    name: "read-backlog",
    text: `select count(*)::int as "all", count(*) filter (where run_at <= now())::int as due,
             coalesce(extract(epoch from now() - min(run_at) filter (where run_at <= now())), 0)::float8 as oldest
           from account_jobs.jobs`,
  });
  return rows[0] as Backlog;
}
