import type { Transport } from "@connectrpc/connect";
import type { Log } from "../../services/platform/log.ts";
import { connectRedis, type RedisConnection } from "../../services/platform/redis/connection.ts";
import { createLeasedValues, type LeasedValues } from "../../services/platform/redis/leased-values.ts";
import { followClock } from "../../services/platform/redis/logical-clock.ts";
import type { Ask } from "./batcher.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import type { CachedRead, ReadOperation } from "./cached-read.ts";
import { createTokenReader, type FreshnessToken } from "./freshness-tokens.ts";
import { createPageStore } from "./page-store.ts";
import { createProfileLoader } from "./profile-loader.ts";
import { cachedProfiles, uncachedProfiles } from "./profile-pages.ts";
import { createTimelineLoader } from "./timeline-loader.ts";
import { cachedTimelines, uncachedTimelines } from "./timeline-pages.ts";
import type { SourceOptions } from "./token-source.ts";

/** The operations whose replies to anonymous callers are cached, or at least tagged with the state that they show. */
export interface CachedOperations {
  /** By operation name. */
  reads: ReadonlyMap<string, CachedRead>;
  close(): Promise<void>;
}

/** The settings of the cache. */
export interface CacheConfig {
  /** The Redis, or nodes of the Redis Cluster, for tokens and pages; none: tokens are asked for, pages are cached in this process only. */
  redisUrls: readonly string[];
  /** Milliseconds that Redis may take to answer before it counts as unavailable. */
  redisTimeoutMs: number;
  /** Milliseconds for which a token is stored (design §5, Δ). */
  freshnessMs: number;
  /** Bytes of pages that this process caches; 0 turns the cache off, in Redis too. */
  pageCacheBytes: number;
}

/** The services that the cache asks. */
export interface CacheServices {
  /** Gives freshness tokens. */
  freshness: SourceOptions["service"];
  /** Transport of the service that lists many users, or many pages, in one call. */
  social: Transport;
}

/** Parts that a test replaces by broken ones, to see that its checks fail. */
export interface CacheParts {
  tokenStore(sound: LeasedValues, redis: RedisConnection): LeasedValues;
  tokenReader(sound: Ask<FreshnessToken>): Ask<FreshnessToken>;
}

/** Sets the cache up as the configuration says; with 0 bytes for pages nothing is cached: every read asks its service. */
export function createCachedOperations(
  config: CacheConfig,
  log: Log,
  { freshness, social }: CacheServices,
  operations: readonly ReadOperation[],
  counts: CacheCounts,
  parts?: CacheParts,
): CachedOperations {
  const loadTimeline = (operation: ReadOperation) => createTimelineLoader(operation, social, counts);
  const loadProfiles = createProfileLoader(social, counts);
  if (config.pageCacheBytes === 0) {
    const reads = choose(operations, {
      SocialTimelines: (operation) => uncachedTimelines(loadTimeline(operation)),
      SocialUsers: (operation) => uncachedProfiles(operation, loadProfiles),
    });
    return { reads, close: async () => {} };
  }
  const connect = (name: string, timeoutMs: number) =>
    config.redisUrls.length === 0 ? undefined : connectRedis(config.redisUrls, name, log, timeoutMs);
  // Two connections, so that no token waits behind a page.
  const tokenRedis = connect("roost-gateway-tokens", config.redisTimeoutMs);
  const pageRedis = connect("roost-gateway-pages", 5 * config.redisTimeoutMs);

  const values = tokenRedis && createLeasedValues(tokenRedis);
  const tokenStore = values && (parts?.tokenStore(values, tokenRedis) ?? values);
  const clock = tokenRedis && followClock(tokenRedis, config.freshnessMs);
  const { freshnessMs } = config;
  const reader = createTokenReader({ service: freshness, tokenStore, clock, freshnessMs, log, counts });
  const { noteSeen } = reader;
  const tokensOf = parts?.tokenReader(reader.tokensOf) ?? reader.tokensOf;
  // An eighth: profiles are a small part of all reads, and are cached twice, alone and in their pages.
  const profileBytes = Math.ceil(config.pageCacheBytes / 8);
  const pages = createPageStore(config.pageCacheBytes - profileBytes, pageRedis, counts.pages);
  const reads = choose(operations, {
    SocialTimelines: (operation) => cachedTimelines(loadTimeline(operation), tokensOf, pages, noteSeen),
    SocialUsers: (operation) =>
      cachedProfiles(operation, loadProfiles, tokensOf, pages, noteSeen, profileBytes, counts),
  });
  return {
    reads,
    async close() {
      await clock?.close();
      tokenRedis?.close();
      pageRedis?.close();
    },
  };
}

/** The reads of those operations that are in the table. */
function choose(
  operations: readonly ReadOperation[],
  table: Record<string, (operation: ReadOperation) => CachedRead>,
): CachedOperations["reads"] {
  return new Map(
    operations.flatMap((operation) => {
      const read = table[operation.name]?.(operation);
      return read === undefined ? [] : [[operation.name, read]];
    }),
  );
}
