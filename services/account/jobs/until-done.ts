import type { Task } from "graphile-worker";
import type { Log } from "../../platform/log.ts";
import type { AccountMetrics } from "../metrics.ts";

/** The payload of every repeated job: JSON, so the id is text. */
export interface RepeatedPayload {
  userId: string;
  /** How often it has failed in a row. */
  failures: number;
}

export interface RepeatedJob<P extends RepeatedPayload> {
  name: string;
  key: (userId: string) => string;
  /** The log message of a failed attempt. */
  failureMessage: string;
  /** False when there is more to do. */
  work: (payload: P) => Promise<boolean>;
}

interface Parts {
  metrics: Pick<AccountMetrics, "attempts">;
  log: Log;
}

/**
 * A task that is repeated until it is done. A failed attempt is scheduled again within half a minute, because the library's own
 * backoff grows to hours. Work in batches continues at once in a new run, so that no run looks abandoned.
 */
export function untilDone<P extends RepeatedPayload>({ metrics, log }: Parts, job: RepeatedJob<P>): Task {
  return async (payload, helpers) => {
    const current = payload as P;
    const again = async (failures: number, seconds: number) => {
      // A run that was paused may have lost its lock. The new job would then take the row of this one, which the library deletes at the end.
      await helpers.query(lockAgain, [helpers.job.id]);
      // By the database's clock, by which jobs are due: this process's clock may be wrong.
      const { rows } = await helpers.query<{ at: Date }>(soon, [seconds]);
      await helpers.addJob(job.name, { ...current, failures }, { jobKey: job.key(current.userId), runAt: rows[0]?.at });
    };
    try {
      if (!(await job.work(current))) await again(0, 0);
      metrics.attempts.done.value++;
    } catch (error) {
      metrics.attempts.failed.value++;
      const seconds = Math.min(30, 2 ** current.failures);
      log.warn({ err: error, userId: current.userId, seconds }, job.failureMessage);
      await again(current.failures + 1, seconds);
    }
  };
}

const lockAgain = `
  update account_jobs._private_jobs set locked_at = now(), locked_by = coalesce(locked_by, 'late') where id = $1`;

const soon = "select now() + $1 * interval '1 second' as at";
