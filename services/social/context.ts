import { createGate, type Gate } from "../platform/gate.ts";
import type { Log } from "../platform/log.ts";
import { createServicePool, type Pool } from "../platform/postgres/pool.ts";
import type { SocialConfig } from "./config.ts";
import { createFreshness, type Freshness } from "./freshness.ts";
import { createSocialMetrics, type SocialMetrics } from "./metrics.ts";

/** What every RPC of the social service may use. */
export interface SocialContext {
  config: SocialConfig;
  log: Log;
  metrics: SocialMetrics;
  pool: Pool;
  /** Every write goes through it, so that writers who wait for one author's row leave connections to the readers. */
  writes: Gate;
  /** Told, after the commit and before the acknowledgement, the name keys of authors whose content or privacy changed. */
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
    writes: createGate(8, 1_000, metrics.refusals.of("writes")),
    freshness,
    async close() {
      freshness.close();
      await pool.end();
    },
  };
}
