import { cheapHashes } from "../support/launch.ts";
import { freePort } from "../support/listen.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startRoundRobin } from "../support/round-robin.ts";
import type { CheckRedis } from "./check-redis.ts";
import type { CheckServers } from "./check-servers.ts";
import { type CheckedProcess, type StartProcess, superviseProcess } from "./processes.ts";

/** Two processes of each service and two gateways, on one Postgres or Citus cluster and one Redis. A gateway connects to both processes of a service. */
export interface Cluster {
  gateways: CheckedProcess[];
  socials: CheckedProcess[];
  accounts: CheckedProcess[];
  redis: CheckRedis;
  /** The database servers, when these can be killed. */
  servers?: CheckServers | undefined;
  /** Runs a statement in the database as the superuser. */
  query(text: string): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * @param settings in addition to the addresses. A long REDIS_TIMEOUT_MS keeps Redis in use on a busy machine
 * @param servers have a database that is dropped at the end; a database of the test run's Postgres when left out
 */
export async function startCluster(
  redis: CheckRedis,
  start: StartProcess,
  settings: { REDIS_TIMEOUT_MS: string },
  servers?: CheckServers,
): Promise<Cluster> {
  const database = servers?.database ?? (await createTestDatabase());
  // A slow process on a busy machine must not shed load.
  const limits = {
    MAX_EVENT_LOOP_DELAY_MS: "0",
    SERVICE_TIMEOUT_MS: "25000",
    STATUSES_PER_3_HOURS: "0",
    FOLLOWS_PER_DAY: "0",
    CHANGES_PER_DAY: "0",
  };
  const common = { ...settings, ...limits, RATE_LIMITS: "off", LOG_LEVEL: "fatal", PATH: process.env.PATH };
  const socials: CheckedProcess[] = [];
  const ports: number[] = [];
  // One after the other: the first one creates the schema.
  for (const index of [0, 1]) {
    const port = await freePort();
    const env = { ...common, SOCIAL_DATABASE_URL: database.social, SOCIAL_PORT: `${port}` };
    socials.push(await superviseProcess(`social ${index}`, () => start("social", env)));
    ports.push(port);
  }
  const balancer = await startRoundRobin(ports);
  const accounts: CheckedProcess[] = [];
  const accountPorts: number[] = [];
  for (const index of [0, 1]) {
    const port = await freePort();
    const own = { ACCOUNT_DATABASE_URL: database.account, ACCOUNT_PORT: `${port}`, SOCIAL_URL: balancer.url };
    const env = { ...common, ...cheapHashes, ...own };
    accounts.push(await superviseProcess(`account ${index}`, () => start("account", env)));
    accountPorts.push(port);
  }
  const accountBalancer = await startRoundRobin(accountPorts);
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
    query: (text) => database.query(text),
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await accountBalancer.stop();
      await Promise.all(accounts.map((account) => account.stop()));
      await balancer.stop();
      await Promise.all(socials.map((social) => social.stop()));
      await database.drop();
    },
  };
}
