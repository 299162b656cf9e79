import pg from "pg";
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

/**
 * Runs `work` while a database cannot be reached: its connections, or those of one role, are ended, and new ones are refused to all
 * roles except the superuser.
 * @param admin runs a statement on the same server, in another database
 */
export async function whileCutOff<T>(
  admin: (text: string, values?: unknown[]) => Promise<unknown>,
  { database, role }: { database: string; role?: string },
  work: () => Promise<T>,
): Promise<T> {
  await admin(`alter database ${database} connection limit 0`);
  await admin(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and usename = coalesce($2, usename)`,
    [database, role],
  );
  return work().finally(() => admin(`alter database ${database} connection limit -1`));
}

/** Runs one statement over a connection of its own and returns its rows. */
export async function queryOnce(
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  // When the server ends, the statement fails and not the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
