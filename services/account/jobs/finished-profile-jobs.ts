import type { Pool } from "../../platform/postgres/pool.ts";
import { repeat } from "../../platform/repeat.ts";
import { dequeueCreateProfile } from "./create-profile.ts";

/** Removes the jobs of profiles that the registration itself has made, many in one statement. No registration waits for that. */
export interface FinishedProfileJobs {
  add(userId: bigint): void;
  /** Removes the jobs that are left. Never rejects. */
  stop(): Promise<void>;
}

export function createFinishedProfileJobs(pool: Pool): FinishedProfileJobs {
  let made: bigint[] = [];
  async function dequeue(): Promise<void> {
    const userIds = made;
    made = [];
    if (userIds.length > 0) await dequeueCreateProfile(pool, userIds);
  }
  // A job that is not removed runs, and changes nothing.
  const dequeuing = repeat(pauseMs, dequeue);
  return {
    add: (userId) => void made.push(userId),
    async stop() {
      await dequeuing.stop();
      await dequeue().catch(() => {});
    },
  };
}

/** Milliseconds; a job waits for 3,000. */
const pauseMs = 500;
