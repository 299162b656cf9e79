import { requestHours } from "../platform/rules/request-id.ts";
import type { SocialContext } from "./context.ts";
import { restrictReposts } from "./rpc/statuses/mark-reposts.ts";
import { undoRemoved } from "./rpc/statuses/remove-statuses.ts";
import { isNonePrepared } from "./shards/prepared-health.ts";
import { listRepostsDue } from "./store/profiles/reposts-due.ts";
import { deleteOldRequests } from "./store/requests.ts";
import { listUnfinished } from "./store/statuses/undo-removed.ts";

/**
 * Runs maintenance once a minute: deletes old requests, finishes deletions and changes of protection that were cut off, and looks
 * for writes that are stuck on a cluster.
 */
export function startMaintenance(ctx: SocialContext): { stop(): Promise<void> } {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = maintain(ctx).catch((error: Error) => ctx.log.warn({ err: error }, "maintenance was cut off"));
  }, 60_000);
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

/** One round. */
export async function maintain(ctx: SocialContext): Promise<void> {
  for (let step = 0; step < 20; step++) {
    if ((await deleteOldRequests(ctx.pool, requestHours, batch)) < batch) break;
  }
  for (const authorId of await listUnfinished(ctx.pool, 30)) await undoRemoved(ctx, authorId);
  await restrictReposts(ctx, await listRepostsDue(ctx.pool, 100));
  // It logs what it finds.
  await isNonePrepared(ctx);
}

/** The most requests that one statement deletes, so that none takes long. */
const batch = 5_000;
