import type { SocialContext } from "../context.ts";
import { countPrepared } from "../store/shards/count-prepared.ts";
import { hasCitus } from "../store/shards/tables.ts";

/** The part of the service's health that says whether no transaction stays prepared on a cluster. */
export const preparedPart = "prepared-transactions";

/**
 * Whether no write has been prepared on a worker for more than a minute without its end: it should be resolved by Citus's own
 * maintenance, and until then its rows are locked. True on a database without Citus. Never rejects.
 * @param seconds how long one may take; Citus looks every minute unless it is told otherwise
 */
export async function isNonePrepared(
  { pool, log }: Pick<SocialContext, "pool" | "log">,
  seconds = 60,
): Promise<boolean> {
  try {
    const standing = (await hasCitus(pool)) ? await countPrepared(pool, seconds) : 0;
    if (standing > 0) log.warn({ standing }, "transactions stay prepared on workers, and hold their rows");
    return standing === 0;
  } catch (error) {
    log.warn({ err: error }, "it is not known whether transactions stay prepared");
    return false;
  }
}
