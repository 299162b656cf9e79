import type { Running } from "../../services/platform/lifecycle.ts";
import { createTestDatabase, openTestServer } from "../support/postgres.ts";
import type { CheckRedis } from "./check-redis.ts";
import type { StartProcess } from "./processes.ts";

/** Two social services and two gateways on one Postgres and one Redis. */
export interface Cluster {
  gateways: string[];
  socials: string[];
  redis: CheckRedis;
  stop(): Promise<void>;
}

/**
 * @param settings beside the addresses. A short FRESHNESS_MS lets more leases end and begin in the same time; a long
 * REDIS_TIMEOUT_MS keeps Redis in use on a machine that is busy with other things
 */
export async function startCluster(
  redis: CheckRedis,
  start: StartProcess,
  settings: { FRESHNESS_MS: string; REDIS_TIMEOUT_MS?: string },
): Promise<Cluster> {
  const database = await createTestDatabase(await openTestServer());
  const common = { ...settings, LOG_LEVEL: "fatal", PATH: process.env.PATH };
  const socials: Running[] = [];
  // One after the other: the first one makes the schema.
  for (const url of redis.urls.writers) {
    const env = { ...common, SOCIAL_DATABASE_URL: database.social, SOCIAL_PORT: "0", REDIS_URL: url };
    socials.push(await start("social", env));
  }
  const gateways = await Promise.all(
    redis.urls.gateways.map((url, index) => {
      const social = socials[index % socials.length]?.url ?? "";
      return start("gateway", { ...common, GATEWAY_PORT: "0", SOCIAL_URL: social, REDIS_URL: url });
    }),
  );
  return {
    gateways: gateways.map(({ url }) => url),
    socials: socials.map(({ url }) => url),
    redis,
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await Promise.all(socials.map((social) => social.close()));
      await database.drop();
    },
  };
}
