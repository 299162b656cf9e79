import { type Counter, type Counters, createCounters } from "../services/platform/metrics/counters.ts";
import { addGauge } from "../services/platform/metrics/gauge.ts";
import { createHistograms, durations, type Histogram } from "../services/platform/metrics/histograms.ts";
import { countRefusals } from "../services/platform/metrics/refusals.ts";
import { createRegistry, type Registry } from "../services/platform/metrics/registry.ts";
import { type CacheCounts, createCacheCounts } from "./cache/cache-counts.ts";
import type { Load } from "./load/load.ts";

/** What the gateway counts and measures. */
export interface GatewayMetrics {
  registry: Registry;
  /** The requests of one operation; of everything else, pages and unknown paths, when undefined. */
  requestsOf(operation: string | undefined): RequestTally;
  cache: CacheCounts;
  /** Requests that got 503 because there was too much to do. */
  shed: Counter;
}

/** The requests of one operation. */
export interface RequestTally {
  /**
   * @param status of the reply, which an error under JSONP has as well, though scripts are sent 200; 0: the client left
   *   before there was one
   * @param milliseconds since the request came in
   */
  note(status: number, milliseconds: number): void;
}

/** Metrics of one gateway. The registry is read by nobody unless there is an admin port. */
export function createGatewayMetrics(): GatewayMetrics {
  const registry = createRegistry();
  const counts = createCounters(registry, "roost_requests_total", "Requests, by operation and status.", [
    "operation",
    "status",
  ]);
  const times = createHistograms(
    registry,
    "roost_request_duration_seconds",
    "Time to answer a request.",
    ["operation"],
    durations,
  );
  const tallies = new Map<string, RequestTally>();
  return {
    registry,
    requestsOf(operation = "none") {
      const tally = tallies.get(operation) ?? createTally(operation, counts, times.of(operation));
      tallies.set(operation, tally);
      return tally;
    },
    cache: createCacheCounts(registry),
    shed: countRefusals(registry).of("load"),
  };
}

/** Shows how many requests are worked on. */
export function measureLoad(registry: Registry, load: Load): void {
  addGauge(registry, "roost_requests_under_way", "Requests that are worked on.", "state", () => ({
    running: load.underWay(),
  }));
}

function createTally(operation: string, counts: Counters, duration: Histogram): RequestTally {
  const byStatus = new Map<number, Counter>();
  return {
    note(status, milliseconds) {
      let count = byStatus.get(status);
      if (count === undefined) {
        count = counts.of(operation, status === 0 ? "left" : `${status}`);
        byStatus.set(status, count);
      }
      count.value++;
      duration.observe(milliseconds / 1_000);
    },
  };
}
