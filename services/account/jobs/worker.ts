import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, run, type TaskList, type WorkerEvents, type WorkerPool } from "graphile-worker";
import type pg from "pg";
import type { Pool } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";

/** A worker that takes jobs. */
export interface JobWorker {
  /** Settles when it takes no more jobs: it lost the database, or it was stopped. */
  ended: Promise<void>;
  /** Milliseconds since it took its last job, or since it was started. */
  idleMs(): number;
  /** Lets it look for jobs that have become due. */
  look(): void;
  /** Considers it ended, for a worker that takes no jobs and reports no end. */
  abandon(): void;
  /** Waits for the jobs that run, then closes its connections. Never rejects. */
  stop(): Promise<void>;
}

/** Starts a worker. Rejects when the database is unavailable. */
export async function startWorker(ctx: AccountContext, pool: Pool, taskList: TaskList, crontab: string) {
  const events: WorkerEvents = new EventEmitter();
  let workers: WorkerPool | undefined;
  events.once("pool:create", ({ workerPool }) => (workers = workerPool));
  const runner = await run({
    pgPool: pool,
    schema: "account_jobs",
    concurrency,
    events,
    // New jobs are notified, and the outbox calls `look` for those that have become due: each of the four would ask by itself.
    pollInterval: 600_000,
    noHandleSignals: true,
    // Zero instead of the default: then the library notices when it cannot mark a finished job, and ends the worker instead of
    // leaving a rejection unhandled. And then a graceful stop waits until the job that finishes last is marked. By default graphile-worker
    // 0.17.3 leaves that job locked, and by its own rule runs it again four hours later (findings/graphile-worker-stop.sh).
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList,
    crontab,
    logger: new Logger(() => (level, message) => ctx.log.debug({ worker: level }, message)),
  });
  // The library's own end may never come: when it could not mark one job and could mark a later one, it miscounts what it waits
  // for.
  const shutdownTimedOut = once(events, "pool:gracefulShutdown").then(() =>
    sleep(stopTimeoutMs, undefined, { ref: false }),
  );
  const runnerEnded = runner.promise.catch((error: Error) =>
    ctx.log.warn({ err: error }, "the outbox lost its database"),
  );
  let abandon = () => {};
  const abandoned = new Promise<void>((resolve) => (abandon = resolve));
  let tookJobAt = performance.now();
  events.on("job:start", () => void (tookJobAt = performance.now()));
  const worker: JobWorker = {
    ended: Promise.race([runnerEnded, shutdownTimedOut, abandoned]).then(() => {}),
    idleMs: () => performance.now() - tookJobAt,
    look: () => workers?.nudge(concurrency),
    abandon,
    async stop() {
      // A worker that has ended already reports that by an error.
      const stopped = runner.stop().catch(() => {});
      await Promise.race([stopped, sleep(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
  return worker;
}

/** Jobs that run at once. */
const concurrency = 4;

/** Milliseconds that a worker may take to end once it takes no more jobs. A job that takes longer may run twice. */
const stopTimeoutMs = 5_000;

type Release = pg.PoolClient["release"];
type OnClient = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

/**
 * Lets a client that a pool gives to a callback be released twice. The library of the outbox does so when the connection on which it listens
 * breaks while its worker stops. The pool would throw at the second time, in a promise that nothing handles, which ends the process.
 */
export function releaseOnce(pool: Pool): Pool {
  const connect = pool.connect.bind(pool);
  const connectOnce = (callback?: OnClient) =>
    callback === undefined
      ? connect()
      : // Without a client the pool gives no release either.
        connect((error, client, release: Release | undefined) => {
          let unreleased = release;
          callback(error, client, (reason) => {
            unreleased?.(reason);
            unreleased = undefined;
          });
        });
  return Object.assign(pool, { connect: connectOnce as Pool["connect"] });
}
