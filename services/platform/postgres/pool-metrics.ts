import { addGauge } from "../metrics/gauge.ts";
import type { Registry } from "../metrics/registry.ts";
import type { Pool } from "./pool.ts";

/** Gauges of a pool: its connections, how many of them are idle, and how many callers wait for one. */
export function measurePool(registry: Registry, pool: Pool): void {
  addGauge(
    registry,
    "roost_pool_connections",
    "Connections to Postgres, and callers waiting for one.",
    "state",
    () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  );
}
