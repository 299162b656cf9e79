import type { LRUCache } from "lru-cache";
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
  createKeyedLimit,
  type KeyedLimit,
} from "../platform/concurrency-limit.ts";
import type { Log } from "../platform/log.ts";
import { createLru } from "../platform/lru.ts";
import { createServicePool, type Pool } from "../platform/postgres/pool.ts";
import type { SocialConfig } from "./config.ts";
import { createReadLimits, createWriteLimits, type ReadLimits, type WriteLimits } from "./limits.ts";
import { createSocialMetrics, type SocialMetrics } from "./metrics.ts";
import { createPublications, type Publications } from "./publications.ts";
import { createClusterCheck } from "./store/shards/tables.ts";
import { createSharedWater } from "./store/statuses/find-water.ts";
import { createWatch, type Watch } from "./watch.ts";
import { createWriteQueue, type WriteQueue } from "./write-queue.ts";

/** What every RPC of the social service may use. */
export interface SocialContext {
  config: SocialConfig;
  log: Log;
  metrics: SocialMetrics;
  pool: Pool;
  /** Whether the database is that of a Citus cluster. */
  isCluster(): Promise<boolean>;
  /** The id before which no new status can appear. */
  findWater(): Promise<bigint>;
  /** Runs every write, so that writes that wait for one author's row do not delay others. */
  writes: WriteQueue;
  /** Publishes statuses of many authors in one transaction. */
  publications: Publications;
  /** Limits the lists that are read at once: the rows and messages of a list take a multiple of its bytes, which are up to some 5 MB. */
  listReads: ConcurrencyLimit;
  /** Limits the lists of each viewer, so that one viewer cannot use up the limit of all. */
  viewerLists: KeyedLimit;
  /** Who is told of news. */
  watch: Watch;
  /** How often each user may write. */
  writeLimits: WriteLimits;
  /** How often each address may read what shows statuses of everybody. */
  readLimits: ReadLimits;
  /**
   * By name key, the user ids under which names were found lately. With such an id a statement needs only one shard. If the name belongs
   * to another user by now, the statement finds nothing, and the name is looked up again.
   */
  knownIds: LRUCache<string, bigint>;
  close(): Promise<void>;
}

export function createContext(config: SocialConfig, log: Log): SocialContext {
  const metrics = createSocialMetrics();
  const pool = createServicePool(config, "roost-social", log);
  const isCluster = createClusterCheck(pool);
  const writes = createWriteQueue(metrics.refusals);
  const readLimits = createReadLimits(config, log, metrics.refusals);
  const writeLimits = createWriteLimits(config.writeLimits, log, metrics.refusals);
  return {
    config,
    log,
    metrics,
    pool,
    isCluster,
    findWater: createSharedWater(pool, isCluster),
    writes,
    viewerLists: createKeyedLimit((viewer) => (viewer === "" ? maxLists : maxListsOfViewer)),
    listReads: createConcurrencyLimit(maxLists, 1_000, metrics.refusals.of("list-reads")),
    publications: createPublications(pool, writes.runInSlot, isCluster, log),
    watch: createWatch(pool, log),
    writeLimits,
    readLimits,
    knownIds: createLru(maxKnownIds),
    async close() {
      writeLimits.close();
      readLimits.close();
      await pool.end();
    },
  };
}

/** About 20 MB. */
const maxKnownIds = 100_000;

/** Lists that are read at once. */
const maxLists = 6;
const maxListsOfViewer = 3;
