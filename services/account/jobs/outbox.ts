import { setTimeout as sleep } from "node:timers/promises";
import { Logger, type Runner, run, type Task } from "graphile-worker";
import { createPool, type Pool } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { deleteExpiredSessions } from "../store/delete-expired-sessions.ts";
import { type CreateProfilePayload, createProfile, createProfileJob, createProfileKey } from "./create-profile.ts";
import { type DeleteProfilePayload, deleteBatch, deleteProfileJob, deleteProfileKey } from "./delete-profile.ts";
import { untilDone } from "./until-done.ts";

/**
 * Starts the transactional outbox: jobs that were committed together with an account run here until they succeed,
 * however long the social service is away (design §6). A worker that the database deserts is started again.
 */
export async function startOutbox(ctx: AccountContext): Promise<{ stop(): Promise<void> }> {
  // A pool of its own: a waiting worker holds a connection for LISTEN. Made by us, because the library's own pool loses
  // its error listener before its last connection.
  const pool = createPool(ctx.config.databaseUrl, "roost-account-outbox", ctx.log);
  const stopped = new AbortController();
  let runner = await startWorker(ctx, pool);
  const kept = keep();
  const sweep = setInterval(() => {
    // A database that is away now is there at the next sweep.
    releaseAbandonedJobs(ctx).catch(() => {});
  }, sweepInterval);

  async function keep(): Promise<void> {
    while (!stopped.signal.aborted) {
      await runner.promise.catch((error: Error) => ctx.log.warn({ err: error }, "the outbox lost its database"));
      if (!stopped.signal.aborted) runner = await untilStarted(() => startWorker(ctx, pool), stopped.signal, runner);
    }
  }

  return {
    async stop() {
      stopped.abort();
      clearInterval(sweep);
      // A worker that has ended already says so by an error.
      await runner.stop().catch(() => {});
      await kept;
      await pool.end();
    },
  };
}

async function startWorker(ctx: AccountContext, pool: Pool): Promise<Runner> {
  const runner = await run({
    pgPool: pool,
    schema: "account_jobs",
    concurrency: 4,
    pollInterval: 1_000,
    noHandleSignals: true,
    // Zero, not the default: then the library itself hears when a finished job cannot be marked as such, and ends the worker
    // instead of leaving a rejection to nobody.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: { ...owed(ctx), [deleteExpiredJob]: deleteExpiredTask(ctx) },
    crontab: `*/10 * * * * ${deleteExpiredJob}`,
    logger: new Logger(() => (level, message) => ctx.log.debug({ worker: level }, message)),
  });
  return runner;
}

/** Tries once a second; gives the old runner back when it is told to stop. */
async function untilStarted(start: () => Promise<Runner>, stopped: AbortSignal, old: Runner): Promise<Runner> {
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
 * job here is over within seconds and may run twice, so whoever holds one for longer has to let go.
 */
async function releaseAbandonedJobs(ctx: AccountContext): Promise<void> {
  await ctx.pool.query(
    `select account_jobs.force_unlock_workers(array(
       select distinct locked_by from account_jobs.jobs where locked_at < now() - interval '10 seconds'))`,
  );
}
