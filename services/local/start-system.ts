import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { threadPoolSettings } from "../platform/thread-pool.ts";
import type { LocalConfig } from "./config.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { startReindex } from "./reindex.ts";
import { type Supervised, supervise } from "./supervise.ts";
import { type SupervisedPostgres, supervisePostgres } from "./supervise-postgres.ts";
import { type SupervisedRedis, superviseRedis } from "./supervise-redis.ts";

export interface System {
  /** The gateway's address. */
  url: string;
  /** Stops the gateway, then the services, then Redis and Postgres. */
  stop(): Promise<void>;
}

/**
 * Starts the whole system on one machine: Postgres and Redis unless they are configured, then the three processes at once.
 * When `signal` is aborted before all of it runs, or a part does not start, what runs is ended before this throws.
 */
export async function startSystem(
  config: LocalConfig,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<System> {
  let postgres: SupervisedPostgres | undefined;
  let redis: SupervisedRedis | undefined;
  let reindex: Awaited<ReturnType<typeof startReindex>> | undefined;
  const started: Supervised[] = [];
  const stop = async () => {
    const [gateway, ...services] = started.toReversed();
    await gateway?.stop();
    await reindex?.stop();
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([redis?.stop(), postgres?.stop()]);
  };
  try {
    postgres = config.hasDatabase ? undefined : await supervisePostgres(config.home, say);
    signal.throwIfAborted();
    redis = config.hasRedis ? undefined : await superviseRedis(say);
    signal.throwIfAborted();
    if (redis === undefined && !config.hasRedis)
      say("no redis-server on the path, or it does not start: each process caches alone");
    const environment = {
      ...config.environment,
      RATE_LIMITS: config.rateLimits,
      ACCOUNT_URL: config.accountUrl,
      SOCIAL_URL: config.socialUrl,
      ...(redis && { REDIS_URL: redis.url }),
      ...(await databases(postgres)),
    };
    signal.throwIfAborted();
    const start = (name: string, main: string, host = config.serviceHost) =>
      supervise({
        name,
        main,
        environment: { ...processLimits, ...environment, HOST: host },
        logs: join(config.home, "log"),
        say,
        signal,
      });
    const starts = [
      start("social", "services/social/main.ts"),
      start("account", "services/account/main.ts"),
      start("gateway", "gateway/main.ts", config.host),
    ];
    for (const result of await Promise.allSettled(starts)) {
      if (result.status === "fulfilled") started.push(result.value);
    }
    signal.throwIfAborted();
    const [, , gateway] = await Promise.all(starts);
    const { url } = gateway as Supervised;
    await askWhetherReady(url, signal);
    signal.throwIfAborted();
    reindex = await startReindex({ ...processLimits, ...environment }, say);
    signal.throwIfAborted();
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Has the gateway prepare itself for the first request. A system that is not ready by then starts all the same. */
async function askWhetherReady(url: string, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(readyTimeoutMs)]);
  try {
    const [response] = (await once(get(`${url}/readyz`, { agent: false, signal: either }), "response")) as [
      IncomingMessage,
    ];
    response.resume();
  } catch {
    // `/readyz` shows the reason.
  }
}

/** Milliseconds. */
const readyTimeoutMs = 5_000;

/**
 * The heap is about Node's default in the containers of docker-compose.yml. On a large machine Node would collect garbage later and take
 * twice the memory, and no process is faster with more. The young generation is as in the image: in a smaller one V8 copies what many
 * requests wait for into the old one. The pool of threads is set here because Node 20 would not take it from the process itself.
 */
export const processLimits = {
  NODE_OPTIONS: "--max-old-space-size=256 --max-semi-space-size=16",
  ...threadPoolSettings,
};

async function databases(postgres: SupervisedPostgres | undefined): Promise<NodeJS.ProcessEnv> {
  if (postgres === undefined) return {};
  const { account, social } = await prepareDatabase(postgres);
  return { ACCOUNT_DATABASE_URL: account, SOCIAL_DATABASE_URL: social };
}
