import type { Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";
import { createPool } from "./pool.ts";

/** Finds out whether a database answers. */
export interface DatabaseProbe {
  /** True when it answers within the deadline. Never rejects. Callers that ask at the same time share one look. */
  isAnswering(): Promise<boolean>;
  close(): Promise<void>;
}

/** Milliseconds. A database that needs longer for nothing at all helps no caller. */
const deadline = 2_000;

/** A probe with a connection of its own, so that busy ones are not taken for a database that is unavailable. */
export function createDatabaseProbe(databaseUrl: string, name: string, log: Log): DatabaseProbe {
  const pool = createPool(databaseUrl, name, log);
  let looking: Promise<boolean> | undefined;
  const look = () =>
    pool.query({ name: "probe", text: "select 1" }).then(
      () => true,
      () => false,
    );
  return {
    isAnswering() {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return withTimeout(deadline, looking).catch(() => false);
    },
    close: () => pool.end(),
  };
}
