import type { Postgres } from "../../services/local/postgres/start-postgres.ts";
import type { Databases } from "../../services/local/prepare-database.ts";

/** A Postgres for tests. */
export type TestServer = Pick<Postgres, "url" | "stop">;

/** A database of a test file's own. */
export interface TestDatabase extends Databases {
  /** Runs one statement as the superuser, over a connection that earlier ones used. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /**
   * Runs `work` while a service cannot reach this database: its connections are ended, new ones are refused. Other tests on the
   * same server with the same roles are not affected.
   */
  whileUnavailable<T>(role: keyof Databases, work: () => Promise<T>): Promise<T>;
  drop(): Promise<void>;
}
