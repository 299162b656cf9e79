import type { Db } from "../../platform/postgres/pool.ts";

/**
 * Adds, for each of these users, the job of an account, or that of a deletion, unless it is there. An unclaimed account
 * gets none: an import makes its profile. Returns how many were added.
 * @param tasks the names of the jobs
 */
export async function queueMissingJobs(
  db: Db,
  userIds: readonly bigint[],
  tasks: { create: string; delete: string },
): Promise<number> {
  const { rows } = await db.query<{ queued: number }>({
    name: "queue-missing-jobs",
    text: `with wanted as (
             select user_id, $2 as task, json_build_object('userId', user_id::text, 'userName', user_name,
               'displayName', display_name, 'createdAt', created_at, 'failures', 0) as payload
             from account.account where user_id = any ($1::bigint[]) and deleted_at is null and claimed
             union all
             select user_id, $3, json_build_object('userId', user_id::text, 'failures', 0)
             from account.deletion where user_id = any ($1::bigint[])
           )
           select count(account_jobs.add_job(task, payload, job_key => task || ':' || user_id))::int as queued from wanted
           where not exists (select from account_jobs._private_jobs where key = task || ':' || user_id)`,
    values: [userIds, tasks.create, tasks.delete],
  });
  return rows[0]?.queued ?? 0;
}
