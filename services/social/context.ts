import type { Log } from "../platform/log.ts";
import { createPool, type Pool } from "../platform/postgres/pool.ts";
import type { SocialConfig } from "./config.ts";

/** What every RPC of the social service may use. */
export interface SocialContext {
  config: SocialConfig;
  log: Log;
  pool: Pool;
  close(): Promise<void>;
}

export function createContext(config: SocialConfig, log: Log): SocialContext {
  const pool = createPool(config.databaseUrl, "roost-social", log);
  return { config, log, pool, close: () => pool.end() };
}
