import { requestHours } from "../platform/rules/request-rules.ts";
import type { SocialContext } from "./context.ts";
import { restrictReposts } from "./rpc/mark-reposts.ts";
import { undoRemoved } from "./rpc/remove-statuses.ts";
import { hasNoStuckTransactions } from "./shards/prepared-health.ts";
import { listRepostsDue } from "./store/profiles/reposts-due.ts";
import { deleteOldRequests } from "./store/requests.ts";
import { listUnfinished } from "./store/statuses/undo-removed.ts";

/**
 * Runs maintenance once a minute: deletes old requests, finishes deletions, suspensions and changes of protection that were interrupted,
 * and looks for writes that are stuck on a cluster.
 */
export function startMaintenance(ctx: SocialContext): { stop(): Promise<void> } {
  // One at a time: rounds that overlapped would do the same work.
  let round: Promise<void> | undefined;
  const timer = setInterval(() => {
    round ??= maintain(ctx)
      .catch(logTo(ctx))
      .finally(() => {
        round = undefined;
      });
  }, 60_000);
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

/** One round. A failure for one user does not stop the work for others. Restrictions come first: until then all can read what is protected. */
export async function maintain(ctx: SocialContext): Promise<void> {
  for (const userId of await listRepostsDue(ctx.pool, 100)) await restrictReposts(ctx, [userId]).catch(logTo(ctx));
  for (const authorId of await listUnfinished(ctx.pool, 30))
    await undoRemoved(ctx, authorId, Date.now() + maxMs).catch(logTo(ctx));
  await inSteps(() => deleteOldRequests(ctx.pool, requestHours, batch));
  // It logs what it finds.
  await hasNoStuckTransactions(ctx);
}

/** Repeats a step until it finds less than a batch. */
async function inSteps(step: () => Promise<number>): Promise<void> {
  for (let steps = 0; steps < 20; steps++) if ((await step()) < batch) break;
}

function logTo(ctx: SocialContext): (error: unknown) => void {
  return (error) => ctx.log.warn({ err: error }, "maintenance failed");
}

/** Milliseconds for one user: the next round continues, so that no user waits long for another one. */
const maxMs = 10_000;

/** The most rows that one statement changes, so that none takes long. */
const batch = 5_000;
