import type { Running } from "../../services/platform/lifecycle.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { createTestDatabase, openTestServer } from "../support/postgres.ts";
import type { TestRedis } from "../support/redis.ts";
import type { StartProcess } from "./processes.ts";

/** Two social services and two gateways on one Postgres and one Redis, each with a wire of its own to Redis. */
export interface Cluster {
  gateways: string[];
  socials: string[];
  redis: TestRedis;
  wires: { gateways: FaultProxy[]; writers: FaultProxy[] };
  stop(): Promise<void>;
}

/**
 * @param settings beside the addresses. A short FRESHNESS_MS lets more leases end and begin in the same time; a long
 * REDIS_TIMEOUT_MS keeps Redis in use on a machine that is busy with other things
 */
export async function startCluster(
  redis: TestRedis,
  start: StartProcess,
  settings: { FRESHNESS_MS: string; REDIS_TIMEOUT_MS?: string },
): Promise<Cluster> {
  const database = await createTestDatabase(await openTestServer());
  const wire = () => startFaultProxy(redis.port);
  const wires = { gateways: await Promise.all([wire(), wire()]), writers: await Promise.all([wire(), wire()]) };
  const common = { ...settings, LOG_LEVEL: "fatal", PATH: process.env.PATH };
  const socials: Running[] = [];
  // One after the other: the first one makes the schema.
  for (const { port } of wires.writers) {
    const env = { ...common, SOCIAL_DATABASE_URL: database.social, SOCIAL_PORT: "0", REDIS_URL: redisAt(port) };
    socials.push(await start("social", env));
  }
  const gateways = await Promise.all(
    wires.gateways.map(({ port }, index) => {
      const social = socials[index % socials.length]?.url ?? "";
      return start("gateway", { ...common, GATEWAY_PORT: "0", SOCIAL_URL: social, REDIS_URL: redisAt(port) });
    }),
  );
  return {
    gateways: gateways.map(({ url }) => url),
    socials: socials.map(({ url }) => url),
    redis,
    wires,
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await Promise.all(socials.map((social) => social.close()));
      await Promise.all([...wires.gateways, ...wires.writers].map((proxy) => proxy.close()));
      await database.drop();
    },
  };
}

function redisAt(port: number): string {
  return `redis://127.0.0.1:${port}`;
}
