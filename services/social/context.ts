import type { Log } from "../platform/log.ts";
import { createServicePool, type Pool } from "../platform/postgres/pool.ts";
import type { SocialConfig } from "./config.ts";
import { createFreshness, type Freshness } from "./freshness.ts";
import { createSocialMetrics, type SocialMetrics } from "./metrics.ts";
import { createWriteQueue, type WriteQueue } from "./write-queue.ts";

/** What every RPC of the social service may use. */
export interface SocialContext {
  config: SocialConfig;
  log: Log;
  metrics: SocialMetrics;
  pool: Pool;
  /** Every write goes through it, so that writes that wait for one author's row hold up no others. */
  writes: WriteQueue;
  /** Notified, after the commit and before the answer, of the subjects whose state a write's answer asserts. */
  freshness: Freshness;
  close(): Promise<void>;
}

/** @param freshness what readers keep; by the Redis that the configuration names when left out */
export function createContext(
  config: SocialConfig,
  log: Log,
  freshness: Freshness = createFreshness(config, log),
): SocialContext {
  const metrics = createSocialMetrics();
  const pool = createServicePool(config, "roost-social", log);
  return {
    config,
    log,
    metrics,
    pool,
    writes: createWriteQueue(metrics.refusals),
    freshness,
    async close() {
      freshness.close();
      await pool.end();
    },
  };
}
