import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, run, type TaskList } from "graphile-worker";
import type { Pool } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";

/** A worker that takes jobs. */
export interface JobWorker {
  /** Settles when it takes no more jobs: the database deserted it, or it was stopped. */
  ended: Promise<void>;
  /** Milliseconds since it took its last job, or since it was started. */
  idleMs(): number;
  /** Counts it as ended: it takes no jobs and does not say why. */
  giveUp(): void;
  /** Lets jobs that run end, and lets go of its connections. Never rejects. */
  stop(): Promise<void>;
}

/** Starts a worker. Rejects when the database is unavailable. */
export async function startWorker(ctx: AccountContext, pool: Pool, taskList: TaskList, crontab: string) {
  const runner = await run({
    pgPool: pool,
    schema: "account_jobs",
    concurrency: 4,
    pollInterval: 1_000,
    noHandleSignals: true,
    // Zero, not the default: then the library itself notices when a finished job cannot be marked as such, and ends the worker
    // instead of leaving a rejection unhandled.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList,
    crontab,
    logger: new Logger(() => (level, message) => ctx.log.debug({ worker: level }, message)),
  });
  // The library's own end never comes when one job could not be marked and a later one could: it miscounts what it waits for.
  const given = once(runner.events, "pool:gracefulShutdown").then(() =>
    sleep(stopTimeoutMs, undefined, { ref: false }),
  );
  const own = runner.promise.catch((error: Error) => ctx.log.warn({ err: error }, "the outbox lost its database"));
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => (giveUp = resolve));
  let tookJobAt = performance.now();
  runner.events.on("job:start", () => void (tookJobAt = performance.now()));
  const worker: JobWorker = {
    ended: Promise.race([own, given, givenUp]).then(() => {}),
    idleMs: () => performance.now() - tookJobAt,
    giveUp,
    async stop() {
      // A worker that has ended already says so by an error.
      const stopped = runner.stop().catch(() => {});
      await Promise.race([stopped, sleep(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
  return worker;
}

/** Milliseconds that a worker has to end once it takes no more jobs. A job that needs longer may run twice. */
const stopTimeoutMs = 5_000;
