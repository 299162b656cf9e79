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
import { keptProfiles, unkeptProfiles } from "./profile-pages.ts";
import { createTimelineLoader } from "./timeline-loader.ts";
import { keptTimelines, unkeptTimelines } from "./timeline-pages.ts";
import type { SourceOptions } from "./token-source.ts";

/** The operations whose replies to nobody in particular are kept, or at least known by the state that they show. */
export interface CachedOperations {
  /** By operation name. */
  reads: ReadonlyMap<string, CachedRead>;
  close(): Promise<void>;
}

/** The settings of the cache. */
export interface CacheConfig {
  /** The Redis, or nodes of the Redis Cluster, that keeps tokens and pages; none: tokens are asked for, pages are kept in this process. */
  redisUrls: readonly string[];
  /** Milliseconds that Redis may take to answer before it counts as away. */
  redisTimeoutMs: number;
  /** Milliseconds for which a token is kept (design §5, Δ). */
  freshnessMs: number;
  /** Bytes of pages that this process keeps; 0 keeps nothing, anywhere. */
  pageCacheBytes: number;
}

/** The services that the cache asks. */
export interface CacheServices {
  /** Who knows what state a user is in. */
  freshness: SourceOptions["service"];
  /** The way to who lists many users, and many pages, at once. */
  social: Transport;
}

/** Parts that a test replaces by broken ones, to see that its checks find out. */
export interface CacheParts {
  kept(sound: LeasedValues, redis: RedisConnection): LeasedValues;
  tokenReader(sound: Ask<FreshnessToken>): Ask<FreshnessToken>;
}

/** Sets the cache up as the configuration says; without room for pages nothing is kept: every read asks its service. */
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
      SocialTimelines: (operation) => unkeptTimelines(loadTimeline(operation)),
      SocialUsers: (operation) => unkeptProfiles(operation, loadProfiles),
    });
    return { reads, close: async () => {} };
  }
  const connect = (name: string, patience: number) =>
    config.redisUrls.length === 0 ? undefined : connectRedis(config.redisUrls, name, log, patience);
  // Of their own, so that no token waits behind a page.
  const tokens = connect("roost-gateway-tokens", config.redisTimeoutMs);
  const shared = connect("roost-gateway-pages", 5 * config.redisTimeoutMs);

  const values = tokens && createLeasedValues(tokens);
  const kept = values && (parts?.kept(values, tokens) ?? values);
  const clock = tokens && followClock(tokens, config.freshnessMs);
  const { freshnessMs } = config;
  const reader = createTokenReader({ service: freshness, kept, clock, freshnessMs, log, counts });
  const { noteSeen } = reader;
  const tokensOf = parts?.tokenReader(reader.tokensOf) ?? reader.tokensOf;
  // Profiles are a small part of what is asked for, and are there twice: alone and in their pages.
  const forProfiles = Math.ceil(config.pageCacheBytes / 8);
  const pages = createPageStore(config.pageCacheBytes - forProfiles, shared, counts.pages);
  const reads = choose(operations, {
    SocialTimelines: (operation) => keptTimelines(loadTimeline(operation), tokensOf, pages, noteSeen),
    SocialUsers: (operation) => keptProfiles(operation, loadProfiles, tokensOf, pages, noteSeen, forProfiles, counts),
  });
  return {
    reads,
    async close() {
      await clock?.close();
      tokens?.close();
      shared?.close();
    },
  };
}

/** The reads of those operations that stand in the table. */
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
