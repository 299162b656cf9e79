import type { SocialContext } from "./context.ts";
import { undoRemoved } from "./rpc/remove-statuses.ts";
import { deleteOldRequests } from "./store/requests.ts";
import { listUnfinished } from "./store/undo-removed.ts";

/** Does once a minute what nobody waits for: forgets old requests, and finishes deletions that were cut off. */
export function startUpkeep(ctx: SocialContext): { stop(): Promise<void> } {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = keepUp(ctx).catch((error: Error) => ctx.log.warn({ err: error }, "the upkeep was cut off"));
  }, 60_000);
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

/** One round. */
export async function keepUp(ctx: SocialContext): Promise<void> {
  for (let step = 0; step < 20; step++) {
    if ((await deleteOldRequests(ctx.pool, keptHours, batch)) < batch) break;
  }
  for (const authorId of await listUnfinished(ctx.pool, 30)) await undoRemoved(ctx, authorId);
}

/** Callers may repeat a request for 72 hours; one more for slow clocks and long retries. */
const keptHours = 73;
/** Requests a step, so that no statement takes long. */
const batch = 5_000;
