import {
  type Counter,
  createCounters,
  createHistograms,
  type Histogram,
  sizes,
} from "../../services/platform/metrics/instruments.ts";
import type { Registry } from "../../services/platform/metrics/registry.ts";

/** What reads count. */
export interface ReadCounts {
  /** Pages found in this process, found in Redis, and made by the service. */
  pages: { process: LayerCounts; redis: LayerCounts; made: Counter };
  /** Keys that were asked for together: `versions`, `sessions`, the name of a cached lookup, or that of a grouped operation. */
  keysInGroup(name: string): Histogram;
}

interface LayerCounts {
  hit: Counter;
  miss: Counter;
}

export function createReadCounts(registry: Registry): ReadCounts {
  const lookups = createCounters(registry, "roost_cache_lookups_total", "Pages by layer; `made` by the service.", [
    "layer",
    "result",
  ]);
  const layer = (name: string) => ({ hit: lookups.of(name, "hit"), miss: lookups.of(name, "miss") });
  const keys = createHistograms(
    registry,
    "roost_group_keys",
    "Keys that were asked for in one call.",
    ["group"],
    sizes,
  );
  return {
    pages: { process: layer("process"), redis: layer("redis"), made: lookups.of("service", "made") },
    keysInGroup: (name) => keys.of(name),
  };
}
