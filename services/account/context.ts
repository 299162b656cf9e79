import { type Client, createClient } from "@connectrpc/connect";
import pLimit, { type LimitFunction } from "p-limit";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { createServiceTransport } from "../platform/connect/client.ts";
import type { Log } from "../platform/log.ts";
import { createPool, type Pool } from "../platform/postgres/pool.ts";
import type { AccountConfig } from "./config.ts";

/** What every RPC and job of the account service may use. */
export interface AccountContext {
  config: AccountConfig;
  log: Log;
  pool: Pool;
  /** Runs registrations a few at a time: argon2 fills libuv's four threads, more would only wait inside them. */
  registrations: LimitFunction;
  profiles: Client<typeof ProfileService>;
  close(): Promise<void>;
}

export function createContext(config: AccountConfig, log: Log): AccountContext {
  const pool = createPool(config.databaseUrl, "roost-account", log);
  // Registration waits for the profile, but not for long: the outbox follows up.
  const social = createServiceTransport({
    baseUrl: config.socialUrl,
    caller: "account",
    serviceToken: config.serviceToken,
    deadlineMs: 2_000,
  });
  return {
    config,
    log,
    pool,
    registrations: pLimit(4),
    profiles: createClient(ProfileService, social.transport),
    async close() {
      social.close();
      await pool.end();
    },
  };
}
