import { setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { listPrepared } from "../store/shards/list-prepared.ts";

/**
 * Waits until every transaction that is prepared on a worker now has ended. Citus commits a transaction on one worker after the
 * other: it may have released the row of an author already while a repost of this author is not visible yet. A write that
 * changes all reposts of an author therefore has to call this between its commit and the search for them. Does nothing on a database
 * without Citus.
 * @throws Unavailable when one has not ended after `maxWaitMs`, or a worker does not answer
 */
export async function awaitPrepared({ pool, isCluster }: Pick<SocialContext, "pool" | "isCluster">): Promise<void> {
  if (!(await isCluster())) return;
  const end = performance.now() + maxWaitMs;
  let earlier: Set<string> | undefined;
  for (;;) {
    const { names, isComplete } = await listPrepared(pool, 0);
    const left: string[] = earlier === undefined ? names : names.filter((name) => earlier?.has(name));
    if (isComplete && left.length === 0) return;
    if (performance.now() >= end) throw unavailable(new Error("a write is not finished on every worker"));
    // Until a worker answers it is unknown which transactions are prepared on it.
    if (isComplete) earlier = new Set(left);
    await sleep(pauseMs);
  }
}

/** Milliseconds: a transaction usually stays prepared for less than ten. */
const maxWaitMs = 2_000;
const pauseMs = 20;
