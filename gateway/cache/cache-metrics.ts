import { type Counter, createCounters } from "../../services/platform/metrics/counters.ts";
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
  /** Keys in one batch: tokens asked of the service; pages or entries by name. */
  batches: {
    ask: Histogram;
    of(name: string): Histogram;
  };
}

export interface TokenCounts {
  made: Counter;
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
  return {
    pages: { process: layer("pages", "process"), redis: layer("pages", "redis"), made: made("pages") },
    entriesOf: (name) => ({ process: layer(name, "process"), made: made(name), keysInBatch: keys.of(name) }),
    tokens: { made: made("tokens") },
    sessions: { made: made("sessions") },
    batches: {
      ask: keys.of("token-ask"),
      of: (name) => keys.of(name),
    },
  };
}
