import { shareCalls } from "../batch-calls.ts";
import type { Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";
import { createPool } from "./pool.ts";

/** Finds out whether a database answers. */
export interface DatabaseProbe {
  /** True when it answers in time. Never rejects. Callers that ask at the same time share one query. */
  isAnswering(): Promise<boolean>;
  close(): Promise<void>;
}

/** Milliseconds. A database that needs longer for an empty query is of no use to callers. */
const timeoutMs = 2_000;

/** A probe with a connection of its own, so that a busy pool is not mistaken for an unavailable database. */
export function createDatabaseProbe(databaseUrl: string, name: string, log: Log): DatabaseProbe {
  const pool = createPool(databaseUrl, name, log);
  const look = shareCalls(() => pool.query({ name: "probe", text: "select 1" }));
  return {
    isAnswering: () =>
      withTimeout(timeoutMs, look()).then(
        () => true,
        () => false,
      ),
    close: () => pool.end(),
  };
}
