import type { Task } from "graphile-worker";
import type { AccountContext } from "../context.ts";

/** What every repeated job carries. */
export interface RepeatedPayload {
  userId: string;
  /** How often it has failed in a row. */
  failures: number;
}

export interface RepeatedJob<P extends RepeatedPayload> {
  name: string;
  key: (userId: string) => string;
  /** What the log says of a failed attempt. */
  complaint: string;
  /** False when there is more to do. */
  work: (payload: P) => Promise<boolean>;
}

/**
 * A task that is repeated until it is done. A failed attempt is scheduled anew within half a minute instead of by the
 * library's backoff, which grows to hours: what is owed is owed as soon as the social service is back. Work in parts goes
 * on at once, in a run of its own, so that no run is taken for abandoned.
 */
export function untilDone<P extends RepeatedPayload>(ctx: AccountContext, job: RepeatedJob<P>): Task {
  return async (payload, helpers) => {
    const current = payload as P;
    const again = (failures: number, seconds: number) =>
      helpers.addJob(
        job.name,
        { ...current, failures },
        { jobKey: job.key(current.userId), runAt: new Date(Date.now() + seconds * 1_000) },
      );
    try {
      if (!(await job.work(current))) await again(0, 0);
      ctx.metrics.attempts.done.value++;
    } catch (error) {
      ctx.metrics.attempts.failed.value++;
      const seconds = Math.min(30, 2 ** current.failures);
      ctx.log.warn({ err: error, userId: current.userId, seconds }, job.complaint);
      await again(current.failures + 1, seconds);
    }
  };
}
