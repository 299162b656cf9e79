import { type Db, transaction } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";

/**
 * Runs a write in one transaction. After a conflict `work` runs again, so it must not keep anything of an attempt. When to use this and when
 * `writeOnce`: see the README of this service.
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
