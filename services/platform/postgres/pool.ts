import pg from "pg";
import type { Log } from "../log.ts";

/** Something that runs SQL: a pool, or one client inside a transaction. */
export type Db = Pick<pg.Pool, "query">;

export type Pool = pg.Pool;

/**
 * A pool whose 64-bit integers arrive as bigint. The parser belongs to this pool only: pg's own table is shared by every
 * library in the process.
 */
export function createPool(connectionString: string, name: string, log: Log): Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: name,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // A lock that is held for longer is a fault; the caller's deadline has passed anyway.
    statement_timeout: 10_000,
    types: { getTypeParser } as pg.CustomTypesConfig,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection broke"));
  return pool;
}

/** Runs `work` in a transaction on one client; commits what it did, or rolls it back when it throws. */
export async function transaction<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A checked-out client has no listener of the pool's.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failed: Error) => {
      broken = failed;
    });
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

const int8 = 20;

function getTypeParser(oid: number, format?: "text" | "binary") {
  if (oid === int8 && format !== "binary") return BigInt;
  return pg.types.getTypeParser(oid, format as "text");
}
