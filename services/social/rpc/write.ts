import { setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "../../platform/errors.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { listPrepared } from "../store/shards/list-prepared.ts";

/**
 * Runs a write in one transaction. After a conflict `work` runs again, so it must not keep anything of an attempt. When to use this and
 * when `writeOnce`: see the README of this service.
 * @param userIds the users whose rows it locks, as far as they are known before
 * @param inBatch is tried first: does the same in one transaction with other writes, or does nothing and resolves to undefined
 * @throws Aborted when it conflicted each time, ResourceExhausted when too many writes wait
 */
export function write<T>(
  ctx: Pick<SocialContext, "pool" | "writes">,
  userIds: readonly bigint[],
  work: (db: Db) => Promise<T>,
  inBatch?: () => Promise<T | undefined>,
): Promise<T> {
  return ctx.writes.run(userIds, (lockTimeoutMs) => transaction(ctx.pool, work, lockTimeoutMs), inBatch);
}

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
