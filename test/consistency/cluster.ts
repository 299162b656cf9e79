import { cheapHashes } from "../support/launch.ts";
import { freePort } from "../support/listen.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startRoundRobin } from "../support/round-robin.ts";
import { type CheckRedis, oneRedis } from "./check-redis.ts";
import type { CheckServers } from "./check-servers.ts";
import { type CheckedProcess, type StartProcess, superviseProcess } from "./processes.ts";

interface ClusterOptions {
  start: StartProcess;
  /** A long one keeps Redis in use on a busy machine. */
  redisTimeoutMs: number;
  startRedis?: () => Promise<CheckRedis>;
  /** Can be killed, and have a database, which is dropped at the end; a database of the test run's Postgres when left out. */
  servers?: CheckServers | undefined;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Two processes of each service and two gateways, on one Postgres or Citus cluster and one Redis. A gateway connects to both processes of a service. */
export async function startCluster(options: ClusterOptions) {
  const { start, redisTimeoutMs, startRedis = oneRedis, servers } = options;
  const redis = await startRedis();
  const database = servers?.database ?? (await createTestDatabase());
  // A slow process on a busy machine must not shed load.
  const limits = {
    MAX_EVENT_LOOP_DELAY_MS: "0",
    SERVICE_TIMEOUT_MS: "25000",
    STATUSES_PER_3_HOURS: "0",
    FOLLOWS_PER_DAY: "0",
    CHANGES_PER_DAY: "0",
  };
  const timeout = { REDIS_TIMEOUT_MS: `${redisTimeoutMs}` };
  const common = { ...timeout, ...limits, RATE_LIMITS: "off", LOG_LEVEL: "fatal", PATH: process.env.PATH };
  /** Two processes, one after the other: the first one creates the schema. */
  const startTwo = async (role: "social" | "account", settings: NodeJS.ProcessEnv) => {
    const processes: CheckedProcess[] = [];
    const ports = [await freePort(), await freePort()];
    for (const [index, port] of ports.entries()) {
      const env = { ...common, ...settings, [`${role.toUpperCase()}_PORT`]: `${port}` };
      processes.push(await superviseProcess(`${role} ${index}`, () => start(role, env)));
    }
    return { processes, balancer: await startRoundRobin(ports) };
  };
  const { processes: socials, balancer } = await startTwo("social", { SOCIAL_DATABASE_URL: database.social });
  const { processes: accounts, balancer: accountBalancer } = await startTwo("account", {
    ...cheapHashes,
    ACCOUNT_DATABASE_URL: database.account,
    SOCIAL_URL: balancer.url,
  });
  const gateways: CheckedProcess[] = [];
  for (const [index, url] of redis.urls.entries()) {
    const services = { SOCIAL_URL: balancer.url, ACCOUNT_URL: accountBalancer.url };
    const env = { ...common, GATEWAY_PORT: `${await freePort()}`, ...services, REDIS_URL: url };
    gateways.push(await superviseProcess(`gateway ${index}`, () => start("gateway", env)));
  }
  return {
    gateways,
    socials,
    accounts,
    redis,
    servers,
    /** Runs a statement in the database as the superuser. */
    query: (text: string) => database.query(text),
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await accountBalancer.stop();
      await Promise.all(accounts.map((account) => account.stop()));
      await balancer.stop();
      await Promise.all(socials.map((social) => social.stop()));
      await database.drop();
      await redis.stop();
    },
  };
}
