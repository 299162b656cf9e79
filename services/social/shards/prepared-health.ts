import type { SocialContext } from "../context.ts";
import { listPrepared } from "../store/shards/list-prepared.ts";

/** The part of the service's health that reports whether a transaction stays prepared on a cluster. */
export const preparedPart = "prepared-transactions";

/**
 * Whether no write has stayed prepared on a worker for more than a minute. Citus's own maintenance should finish it; until then
 * its rows are locked. A worker that does not answer counts as having none. True on a database without Citus. Never rejects.
 * @param seconds after which a prepared transaction is reported; Citus checks every minute by default
 */
export async function hasNoStuckTransactions(
  { pool, log, isCluster }: Pick<SocialContext, "pool" | "log" | "isCluster">,
  seconds = 60,
): Promise<boolean> {
  try {
    const stuck = (await isCluster()) ? (await listPrepared(pool, seconds)).names.length : 0;
    if (stuck > 0) log.warn({ stuck }, "transactions stay prepared on workers, and hold their rows");
    return stuck === 0;
  } catch (error) {
    log.warn({ err: error }, "it is not known whether transactions stay prepared");
    return false;
  }
}
