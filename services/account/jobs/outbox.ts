import { Logger, run, type Task } from "graphile-worker";
import { createPool } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { type CreateProfilePayload, createProfile, createProfileJob, createProfileKey } from "./create-profile.ts";

/**
 * Starts the transactional outbox: jobs that were committed together with an account run here until they succeed,
 * however long the social service is away (design §6).
 */
export async function startOutbox(ctx: AccountContext): Promise<{ stop(): Promise<void> }> {
  // A pool of its own: a waiting worker holds a connection for LISTEN. Made by us, because the library's own pool loses
  // its error listener before its last connection.
  const pool = createPool(ctx.config.databaseUrl, "roost-account-outbox", ctx.log);
  const runner = await run({
    pgPool: pool,
    schema: "account_jobs",
    concurrency: 4,
    pollInterval: 1_000,
    noHandleSignals: true,
    taskList: { [createProfileJob]: createProfileTask(ctx) },
    logger: new Logger(() => (level, message) => ctx.log.debug({ worker: level }, message)),
  });
  await releaseAbandonedJobs(ctx);
  return {
    async stop() {
      await runner.stop();
      await pool.end();
    },
  };
}

/**
 * A failed attempt is scheduled anew within half a minute instead of by the library's backoff, which grows to hours:
 * a profile is owed as soon as the social service is back.
 */
function createProfileTask(ctx: AccountContext): Task {
  return async (payload, helpers) => {
    const job = payload as CreateProfilePayload;
    try {
      await createProfile(ctx, job);
    } catch (error) {
      const seconds = Math.min(30, 2 ** job.failures);
      ctx.log.warn({ err: error, userId: job.userId, seconds }, "a profile could not be created yet");
      await helpers.addJob(
        createProfileJob,
        { ...job, failures: job.failures + 1 },
        { jobKey: createProfileKey(job.userId), runAt: new Date(Date.now() + seconds * 1_000) },
      );
    }
  };
}

/** Jobs of a process that was killed stay locked for hours. Running one twice is harmless, so all are let go. */
async function releaseAbandonedJobs(ctx: AccountContext): Promise<void> {
  await ctx.pool.query(
    `select account_jobs.force_unlock_workers(array(select distinct locked_by from account_jobs.jobs where locked_by is not null))`,
  );
}
