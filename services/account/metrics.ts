import { shareCalls } from "../platform/batch-calls.ts";
import {
  addGauge,
  type Counter,
  type Counters,
  countRefusals,
  createCounters,
} from "../platform/metrics/instruments.ts";
import { createRegistry, type Registry } from "../platform/metrics/registry.ts";
import { type Db, measurePool, type Pool } from "../platform/postgres/pool.ts";
import type { Passwords } from "./hashing/passwords.ts";

/** What the account service counts. */
export interface AccountMetrics {
  registry: Registry;
  /** By the limit, or the queue, that refused a request. */
  refusals: Counters;
  /** Attempts of outbox jobs, by result. */
  attempts: Record<"done" | "failed", Counter>;
}

/** Metrics of one account service. The registry is read only when there is an admin port. */
export function createAccountMetrics(): AccountMetrics {
  const registry = createRegistry();
  const help = "Attempts of outbox jobs, by result.";
  const attempts = createCounters(registry, "roost_outbox_attempts_total", help, ["result"]);
  return {
    registry,
    refusals: countRefusals(registry),
    attempts: { done: attempts.of("done"), failed: attempts.of("failed") },
  };
}

/** Gauges of queues: for connections, for hashes, and the outbox. */
export function measureQueues(registry: Registry, pool: Pool, passwords: Passwords): void {
  measurePool(registry, pool);
  addGauge(registry, "roost_hash_queue_turns", "Turns of the hashing queue that run, and that wait.", "state", () =>
    passwords.depth(),
  );
  // Both gauges are read at the same time, and share one query.
  const backlog = shareCalls(() => readBacklog(pool));
  addGauge(registry, "roost_outbox_jobs", "Jobs in the outbox: all, and those that are due.", "state", async () => {
    const { all, due } = await backlog();
    return { all, due };
  });
  addGauge(
    registry,
    "roost_outbox_age_seconds",
    "Seconds for which the oldest due job has waited.",
    "job",
    async () => {
      const { oldest } = await backlog();
      return { oldest };
    },
  );
}

/** The backlog of the outbox. */
interface Backlog {
  /** Jobs that are not done, also those that are not due yet. */
  all: number;
  /** Jobs that are due. */
  due: number;
  /** Seconds for which the oldest of those has been due; 0 when there is none. */
  oldest: number;
}

/** Reads the outbox. */
async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await db.query<Backlog>({
    name: "read-backlog",
    text: `select count(*)::int as "all", count(*) filter (where run_at <= now())::int as due,
             coalesce(extract(epoch from now() - min(run_at) filter (where run_at <= now())), 0)::float8 as oldest
           from account_jobs.jobs`,
  });
  return rows[0] as Backlog;
}
