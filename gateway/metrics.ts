import { addGauge, type Counter, countRefusals } from "../services/platform/metrics/instruments.ts";
import { createRegistry, type Registry } from "../services/platform/metrics/registry.ts";
import type { LoadShedding } from "./http/load/load-shedding.ts";
import { createRequestMetrics, type RequestMetrics } from "./http/log/request-metrics.ts";
import { createLiveCounts, type LiveCounts } from "./live/metrics.ts";
import { createReadCounts, type ReadCounts } from "./reads/metrics.ts";

/** What the gateway counts and measures. */
export interface GatewayMetrics {
  registry: Registry;
  requests: RequestMetrics;
  reads: ReadCounts;
  live: LiveCounts;
  /** Requests that got 503 because the gateway was overloaded. */
  shed: Counter;
}

/** Metrics of one gateway, to be read on the admin port where there is one. */
export function createGatewayMetrics(): GatewayMetrics {
  const registry = createRegistry();
  return {
    registry,
    requests: createRequestMetrics(registry),
    reads: createReadCounts(registry),
    live: createLiveCounts(registry),
    shed: countRefusals(registry).of("load"),
  };
}

/** Shows how many requests are worked on. */
export function measureLoad(registry: Registry, load: LoadShedding): void {
  addGauge(registry, "roost_requests_under_way", "Requests that are worked on.", "state", () => ({
    running: load.underWay(),
  }));
}
