import { type Counter, createCounters } from "../../services/platform/metrics/counters.ts";
import { addGauge } from "../../services/platform/metrics/gauge.ts";
import { createHistograms, type Histogram, sizes } from "../../services/platform/metrics/histograms.ts";
import type { Registry } from "../../services/platform/metrics/registry.ts";

/** Hits and misses of a layer. */
export interface LayerCounts {
  hit: Counter;
  miss: Counter;
}

/** The counters of the cache: hits and misses by layer, and values that the service made. */
export interface CacheCounts {
  pages: { process: LayerCounts; redis: LayerCounts; made: Counter };
  /** Entries inside pages, by the name of their cache (annotations.proto). */
  entriesOf(name: string): EntryCounts;
  tokens: TokenCounts;
  /** The same for tokens of sessions. */
  sessions: TokenCounts;
  /** Keys in one batch: tokens read from Redis, tokens asked of the service, tokens refreshed; pages or entries by name. */
  batches: {
    read: Histogram;
    ask: Histogram;
    refresh: Histogram;
    of(name: string): Histogram;
  };
}

export interface TokenCounts {
  /** Hits: tokens that were remembered. Misses: tokens that had to be read although tokens may be remembered. */
  process: LayerCounts;
  redis: LayerCounts;
  made: Counter;
  /** Whether they are stored in Redis. */
  isStored: 0 | 1;
}

export interface EntryCounts {
  process: LayerCounts;
  made: Counter;
  keysInBatch: Histogram;
}

export function createCacheCounts(registry: Registry): CacheCounts {
  const lookups = createCounters(registry, "roost_cache_lookups_total", "Look-ups by layer; `made` by the service.", [
    "kind",
    "layer",
    "result",
  ]);
  const layer = (kind: string, layer: string) => ({
    hit: lookups.of(kind, layer, "hit"),
    miss: lookups.of(kind, layer, "miss"),
  });
  const made = (kind: string) => lookups.of(kind, "service", "made");
  const keys = createHistograms(registry, "roost_batch_keys", "Keys in one batch.", ["batch"], sizes);
  const tokensOf = (kind: string): TokenCounts => ({
    process: layer(kind, "process"),
    redis: layer(kind, "redis"),
    made: made(kind),
    isStored: 0,
  });
  const [tokens, sessions] = [tokensOf("tokens"), tokensOf("sessions")];
  addGauge(registry, "roost_tokens_stored", "Whether freshness tokens are stored in Redis: 1, or 0.", "kind", () => ({
    tokens: tokens.isStored,
    sessions: sessions.isStored,
  }));
  return {
    pages: { process: layer("pages", "process"), redis: layer("pages", "redis"), made: made("pages") },
    entriesOf: (name) => ({ process: layer(name, "process"), made: made(name), keysInBatch: keys.of(name) }),
    tokens,
    sessions,
    batches: {
      read: keys.of("token-read"),
      ask: keys.of("token-ask"),
      refresh: keys.of("token-refresh"),
      of: (name) => keys.of(name),
    },
  };
}
