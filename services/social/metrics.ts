import {
  addGauge,
  type Counters,
  countRefusals,
  createHistograms,
  type Histograms,
  sizes,
} from "../platform/metrics/instruments.ts";
import { createRegistry, type Registry } from "../platform/metrics/registry.ts";
import { measurePool, type Pool } from "../platform/postgres/pool.ts";
import type { WriteQueue } from "./write-queue.ts";

/** What the social service counts. */
export interface SocialMetrics {
  registry: Registry;
  /** By the limit or the queue that refused a request. */
  refusals: Counters;
  /** How many users or statuses were looked at for one page, by what was searched. */
  searchCandidates: Histograms;
}

/** Metrics of one social service. The registry is read only when there is an admin port. */
export function createSocialMetrics(): SocialMetrics {
  const registry = createRegistry();
  const help = "Users or statuses that were looked at for a page of a search.";
  return {
    registry,
    refusals: countRefusals(registry),
    searchCandidates: createHistograms(registry, "roost_search_candidates", help, ["operation"], sizes),
  };
}

/** Gauges of queues: for connections, and for writes. */
export function measureQueues(registry: Registry, pool: Pool, writes: WriteQueue): void {
  measurePool(registry, pool);
  addGauge(registry, "roost_write_queue_turns", "Writes that run, and that wait for a turn.", "state", () =>
    writes.depth(),
  );
}
