import { createClient } from "@connectrpc/connect";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { createServiceTransport } from "../platform/connect/client.ts";
import type { Log } from "../platform/log.ts";
import { measureCalls } from "../platform/metrics/rpc-metrics.ts";
import { createServicePool, type Pool } from "../platform/postgres/pool.ts";
import type { AccountConfig } from "./config.ts";
import { createPasswords, type Passwords } from "./hashing/passwords.ts";
import { createFinishedProfileJobs, type FinishedProfileJobs, type ProfileClient } from "./jobs/create-profile.ts";
import { createLimits, type Limits } from "./limits.ts";
import { type AccountMetrics, createAccountMetrics } from "./metrics.ts";
import { createPendingNames, createRegistrations, type PendingNames, type Registrations } from "./registrations.ts";

/** What every RPC and job of the account service may use. */
export interface AccountContext {
  config: AccountConfig;
  log: Log;
  metrics: AccountMetrics;
  pool: Pool;
  passwords: Passwords;
  limits: Limits;
  profiles: ProfileClient;
  finishedProfileJobs: FinishedProfileJobs;
  pendingNames: PendingNames;
  registrations: Registrations;
  close(): Promise<void>;
}

export async function createContext(config: AccountConfig, log: Log): Promise<AccountContext> {
  const metrics = createAccountMetrics();
  const passwords = await createPasswords(config.passwords, metrics.refusals.of("hash-queue"));
  const pool = createServicePool(config, "roost-account", log);
  // Registration waits for the profile, but not for long: the outbox repeats the call.
  const social = createServiceTransport({
    baseUrl: config.socialUrl,
    caller: "account",
    serviceToken: config.serviceTokens[0],
    deadlineMs: 2_000,
    interceptors: [measureCalls(metrics.registry)],
  });
  const limits = createLimits(config.limits, log, metrics.refusals);
  const profiles = createClient(ProfileService, social.transport);
  const finishedProfileJobs = createFinishedProfileJobs(pool);
  return {
    config,
    log,
    metrics,
    pool,
    passwords,
    limits,
    profiles,
    finishedProfileJobs,
    pendingNames: createPendingNames(),
    registrations: createRegistrations({ pool, passwords, profiles, finishedProfileJobs, log }),
    async close() {
      await finishedProfileJobs.stop();
      social.close();
      limits.close();
      await pool.end();
    },
  };
}
