import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "graphile-worker";
import { createPool } from "../../platform/postgres/pool.ts";
import { requestHours } from "../../platform/rules/request-rules.ts";
import { withTimeout } from "../../platform/with-timeout.ts";
import type { AccountContext } from "../context.ts";
import { deleteExpiredInvitations } from "../store/invitations.ts";
import { deleteOldPasswordRequests } from "../store/password-requests.ts";
import { createProfileJob, createProfileKey } from "../store/registrations.ts";
import { deleteExpiredSessions } from "../store/sessions.ts";
import { createProfile } from "./create-profile.ts";
import { deleteBatch, deleteProfileJob, deleteProfileKey } from "./delete-profile.ts";
import { untilDone } from "./until-done.ts";
import { type JobWorker, releaseOnce, startWorker } from "./worker.ts";

/**
 * Starts the transactional outbox: jobs that were committed together with an account run here until they succeed, however long
 * the social service is unavailable (contract §6.6). A worker that loses its database is replaced.
 */
export async function startOutbox(ctx: AccountContext): Promise<{ stop(): Promise<void> }> {
  // A pool of its own, because a waiting worker holds a connection for LISTEN. Not the library's pool, which loses its error
  // listener before its last connection. Ids as text: the library writes them as JSON, which has no bigint.
  const pool = releaseOnce(createPool(ctx.config.databaseUrl, "roost-account-outbox", ctx.log, { longs: "text" }));
  const stopped = new AbortController();
  const tasks = { ...socialTasks(ctx), [deleteExpiredJob]: deleteExpiredTask(ctx) };
  const start = () => startWorker(ctx, pool, tasks, `*/10 * * * * ${deleteExpiredJob}`);
  let worker = await start();
  await addTasks(ctx, Object.keys(tasks));
  const supervised = supervise();
  const looking = setInterval(() => {
    // If the database is unavailable now, the next look tries again.
    look().catch(() => {});
  }, lookInterval);

  async function look(): Promise<void> {
    const { due, overdue } = await findJobs(ctx, Object.keys(tasks));
    // After connections were lost, the library can stop taking jobs without reporting an end.
    if (overdue && worker.idleMs() >= stalledMs) {
      ctx.log.warn("the outbox takes no jobs and is restarted");
      worker.abandon();
    } else if (due) worker.look();
  }

  async function supervise(): Promise<void> {
    const stop = once(stopped.signal, "abort");
    for (;;) {
      await Promise.race([worker.ended, stop]);
      if (stopped.signal.aborted) return;
      await worker.stop();
      worker = await untilStarted(start, stopped.signal, worker);
    }
  }

  return {
    async stop() {
      stopped.abort();
      clearInterval(looking);
      await supervised;
      await worker.stop();
      await pool.end();
    },
  };
}

/** Adds the names of tasks, as the library does with its first look for jobs: a registration may come before that. */
async function addTasks(ctx: AccountContext, names: readonly string[]): Promise<void> {
  await ctx.pool.query({
    name: "add-tasks",
    text: `insert into account_jobs._private_tasks (identifier) select unnest($1::text[]) on conflict do nothing`,
    values: [names],
  });
}

/** Tries once a second until a worker has started. Returns the old one when the outbox stops first. */
async function untilStarted(start: () => Promise<JobWorker>, stopped: AbortSignal, old: JobWorker): Promise<JobWorker> {
  while (!stopped.aborted) {
    try {
      const starting = start();
      // A worker that starts after the time-out is stopped.
      return await withTimeout(startTimeoutMs, starting).catch((error) => {
        starting.then((late) => late.stop()).catch(() => {});
        throw error;
      });
    } catch {
      await sleep(1_000);
    }
  }
  return old;
}

/** The tasks that repeat their call of the social service until it succeeds. */
function socialTasks(ctx: AccountContext): Record<string, Task> {
  const createTask = untilDone(ctx, {
    name: createProfileJob,
    key: createProfileKey,
    failureMessage: "a profile could not be created yet",
    work: async ({ userId }) => {
      await createProfile(ctx, BigInt(userId));
      return true;
    },
  });
  const deleteTask = untilDone(ctx, {
    name: deleteProfileJob,
    key: deleteProfileKey,
    failureMessage: "a profile could not be deleted yet",
    work: ({ userId }) => deleteBatch(ctx, BigInt(userId)),
  });
  return { [createProfileJob]: createTask, [deleteProfileJob]: deleteTask };
}

const deleteExpiredJob = "delete-expired-sessions";

function deleteExpiredTask(ctx: AccountContext): Task {
  return async () => {
    try {
      // Shorter than what counts as abandoned; the next run continues.
      const end = performance.now() + 5_000;
      while (performance.now() < end && (await deleteExpiredSessions(ctx.pool, 5_000)) === 5_000);
      await deleteExpiredInvitations(ctx.pool);
      await deleteOldPasswordRequests(ctx.pool, requestHours);
    } catch (error) {
      ctx.log.warn({ err: error }, "expired sessions could not be deleted");
      throw error;
    }
  };
}

/** Milliseconds between two looks for jobs. */
const lookInterval = 5_000;

/** Milliseconds without a new job after which overdue jobs show that a worker is stalled: longer than any job takes. */
const stalledMs = 12_000;

/** Milliseconds that the start of a worker may take. */
const startTimeoutMs = 30_000;

/**
 * Whether jobs of these tasks are due, and whether some have been due for a while without a worker that takes them; releases those that
 * were abandoned. One statement, since it is nearly all that an idle system does.
 *
 * By the library's own rule a job stays locked for hours when its worker was killed or could not mark it as done. Every job here
 * takes seconds and may run twice, so a job that is locked for longer is released. Each by its own age: the library locks all jobs of a
 * process under one name, and its `force_unlock_workers` would release those that are running. The library counts an attempt when a job is
 * taken and takes none that has used up all, so the attempts begin anew.
 */
async function findJobs(
  ctx: AccountContext,
  taskNames: readonly string[],
): Promise<{ due: boolean; overdue: boolean }> {
  const { rows } = await ctx.pool.query<{ due: boolean; overdue: boolean }>({
    name: "find-jobs",
    text: `with released as (
             update account_jobs._private_jobs set locked_at = null, locked_by = null, attempts = 0
             where locked_at < now() - interval '10 seconds' or (locked_at is null and attempts >= max_attempts)
             returning id
           ), waiting as (
             select run_at from account_jobs.jobs
             where locked_at is null and run_at <= now() and task_identifier = any($1) order by run_at limit 1
           )
           select exists (select from released) or exists (select from waiting) as due,
             exists (select from waiting where run_at < now() - interval '10 seconds') as overdue`,
    values: [taskNames],
  });
  return rows[0] ?? { due: false, overdue: false };
}
