import { join } from "node:path";
import { startPostgres } from "../../services/local/postgres/start-postgres.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { loadDataset } from "../dataset/load-dataset.ts";
import type { Setting } from "../trials/trial.ts";
import { type ProcessorTime, processorTime } from "./processor.ts";
import { type BenchRedis, startRedis } from "./redis.ts";
import { type BenchSystem, startBenchSystem } from "./start-system.ts";
import { unlimitedWrites } from "./unlimited-writes.ts";

/** A system with a dataset, and the Redis that it uses. */
export interface MeasuredSystem {
  system: BenchSystem;
  databaseUrl: string;
  redis: BenchRedis | undefined;
  /** What its processes and Postgres have used so far. */
  processorTime(): ProcessorTime;
  stop(): Promise<void>;
}

/** How large the caches of a system may be. */
export interface CacheLimits {
  /** Bytes of pages in the gateway's process. */
  gateway: number;
  /** Bytes of all that Redis holds; it evicts what was used least. */
  redis: number;
}

export interface StartOptions {
  /** Of the caches; without them they are as large as by default. */
  limits?: CacheLimits;
  /**
   * The Redis of a system that runs at the same time on the same dataset, and that stops it. Two systems with a Redis each would store no
   * tokens, since their social processes announce in two places.
   */
  sharedRedis?: BenchRedis | undefined;
}

/** The one Postgres of a run, started as by `npm start`, and the systems that use it. */
export interface BenchEnvironment {
  /**
   * Starts the checkout at `root` with a dataset, which is loaded if it is not there yet.
   * @param options of this start
   */
  startSystem(root: string, dataset: Dataset, setting: Setting, options?: StartOptions): Promise<MeasuredSystem>;
  close(): Promise<void>;
}

const home = join(import.meta.dirname, "../../.roost/bench");

/** Starts Postgres in `.roost/bench`, where loaded datasets stay from run to run. */
export async function openEnvironment(say: (line: string) => void): Promise<BenchEnvironment> {
  const postgres = await startPostgres({ home, log: say });
  let systems = 0;
  return {
    async startSystem(root, dataset, setting, { limits, sharedRedis } = {}) {
      const start = (databases: { account: string; social: string }, settings: NodeJS.ProcessEnv = {}) =>
        startBenchSystem(root, {
          // A folder of its own for its logs: two checkouts, or two datasets, run at the same time.
          ROOST_HOME: join(home, `system-${++systems}`),
          ACCOUNT_DATABASE_URL: databases.account,
          SOCIAL_DATABASE_URL: databases.social,
          ...unlimitedWrites,
          ...settings,
        });
      // A start runs the migrations.
      const migrate = async (databases: { account: string; social: string }) => (await start(databases)).stop();
      const databases = await loadDataset(postgres, dataset, root, migrate, say);
      const ownRedis = setting === "redis" && !sharedRedis ? await startRedis(redisOptions(limits)) : undefined;
      const redis = sharedRedis ?? ownRedis;
      try {
        const system = await start(databases, {
          ...settingsOf(setting, redis),
          ...(limits && { PAGE_CACHE_BYTES: `${limits.gateway}` }),
        });
        const stop = async () => {
          await system.stop();
          await ownRedis?.stop();
        };
        return { system, databaseUrl: databases.social, redis, processorTime: () => processorTime(system, home), stop };
      } catch (error) {
        await ownRedis?.stop();
        throw error;
      }
    },
    close: () => postgres.stop(),
  };
}

function redisOptions(limits: CacheLimits | undefined): string[] {
  return limits === undefined ? [] : ["--maxmemory", `${limits.redis}`, "--maxmemory-policy", "allkeys-lru"];
}

function settingsOf(setting: Setting, redis: BenchRedis | undefined): NodeJS.ProcessEnv {
  if (redis !== undefined) return { REDIS_URL: redis.url };
  // Hides the redis-server on the path, which `npm start` would use.
  const withoutRedis = { PATH: "/nonexistent" };
  return setting === "cache off" ? { ...withoutRedis, PAGE_CACHE_BYTES: "0" } : withoutRedis;
}
