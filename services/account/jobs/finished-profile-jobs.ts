import type { Pool } from "../../platform/postgres/pool.ts";
import { dequeueCreateProfile } from "./create-profile.ts";

/** Removes the jobs of profiles that the registration itself has made, many in one statement. No registration waits for that. */
export interface FinishedProfileJobs {
  add(userId: bigint): void;
  /** Removes the jobs that are left. Never rejects. */
  stop(): Promise<void>;
}

export function createFinishedProfileJobs(pool: Pool): FinishedProfileJobs {
  let made: bigint[] = [];
  let timer: NodeJS.Timeout | undefined;
  let dequeued: Promise<void> = Promise.resolve();

  function dequeue(): void {
    timer = undefined;
    const userIds = made;
    made = [];
    // A job that is not removed runs, and changes nothing.
    if (userIds.length > 0) dequeued = dequeued.then(() => dequeueCreateProfile(pool, userIds)).catch(() => {});
  }

  return {
    add(userId) {
      made.push(userId);
      timer ??= setTimeout(dequeue, pauseMs).unref();
    },
    stop() {
      clearTimeout(timer);
      dequeue();
      return dequeued;
    },
  };
}

/** Milliseconds for which jobs are gathered; a job waits for 3,000. */
const pauseMs = 500;
