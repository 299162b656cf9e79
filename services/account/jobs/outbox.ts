import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "graphile-worker";
import { createPool } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { deleteExpiredSessions } from "../store/delete-expired-sessions.ts";
import { type CreateProfilePayload, createProfile, createProfileJob, createProfileKey } from "./create-profile.ts";
import { type DeleteProfilePayload, deleteBatch, deleteProfileJob, deleteProfileKey } from "./delete-profile.ts";
import { untilDone } from "./until-done.ts";
import { type JobWorker, startWorker } from "./worker.ts";

/**
 * Starts the transactional outbox: jobs that were committed together with an account run here until they succeed,
 * however long the social service is away (design §6). A worker that the database deserts is started again.
 */
export async function startOutbox(ctx: AccountContext): Promise<{ stop(): Promise<void> }> {
  // A pool of its own: a waiting worker holds a connection for LISTEN. Made by us, because the library's own pool loses
  // its error listener before its last connection. Ids as text: the library writes them as JSON, which knows no bigint.
  const pool = createPool(ctx.config.databaseUrl, "roost-account-outbox", ctx.log, { longs: "text" });
  const stopped = new AbortController();
  const tasks = { ...owed(ctx), [deleteExpiredJob]: deleteExpiredTask(ctx) };
  const start = () => startWorker(ctx, pool, tasks, `*/10 * * * * ${deleteExpiredJob}`);
  let worker = await start();
  const supervised = supervise();
  const sweep = setInterval(() => {
    // A database that is away now is there at the next sweep.
    releaseAbandonedJobs(ctx).catch(() => {});
  }, sweepInterval);

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
      clearInterval(sweep);
      await supervised;
      await worker.stop();
      await pool.end();
    },
  };
}

/** Tries once a second; gives the old worker back when it is to stop. */
async function untilStarted(start: () => Promise<JobWorker>, stopped: AbortSignal, old: JobWorker): Promise<JobWorker> {
  while (!stopped.aborted) {
    try {
      return await start();
    } catch {
      await sleep(1_000);
    }
  }
  return old;
}

/** The jobs that owe the social service something. */
function owed(ctx: AccountContext): Record<string, Task> {
  const createTask = untilDone<CreateProfilePayload>(ctx, {
    name: createProfileJob,
    key: createProfileKey,
    complaint: "a profile could not be created yet",
    work: async (payload) => {
      await createProfile(ctx, payload);
      return true;
    },
  });
  const deleteTask = untilDone<DeleteProfilePayload>(ctx, {
    name: deleteProfileJob,
    key: deleteProfileKey,
    complaint: "a profile could not be deleted yet",
    work: ({ userId }) => deleteBatch(ctx, BigInt(userId)),
  });
  return { [createProfileJob]: createTask, [deleteProfileJob]: deleteTask };
}

const deleteExpiredJob = "delete-expired-sessions";

function deleteExpiredTask(ctx: AccountContext): Task {
  return async () => {
    await deleteExpiredSessions(ctx.pool);
  };
}

/** Milliseconds between two looks for abandoned jobs. */
const sweepInterval = 5_000;

/**
 * A job whose worker was killed, or could not say that it was done, stays locked for hours by the library's own rule. Every
 * job here is over within seconds and may run twice, so a job that stays locked for longer is released.
 */
async function releaseAbandonedJobs(ctx: AccountContext): Promise<void> {
  await ctx.pool.query(
    `select account_jobs.force_unlock_workers(array(
       select distinct locked_by from account_jobs.jobs where locked_at < now() - interval '10 seconds'))`,
  );
}
