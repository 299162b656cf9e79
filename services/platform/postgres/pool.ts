import pg from "pg";
import type { Log } from "../log.ts";
import { isConnectionFailure } from "./failures.ts";

/** Something that runs SQL: a pool, or one client inside a transaction. */
export type Db = Pick<pg.Pool, "query">;

export type Pool = pg.Pool;

/**
 * A pool whose 64-bit integers arrive as bigint, or as text for a library that expects what pg does by itself. The parser
 * belongs to this pool only: pg's own table is shared by every library in the process.
 */
export function createPool(
  connectionString: string,
  name: string,
  log: Log,
  longs: "bigint" | "text" = "bigint",
): Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: name,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // A lock that is held for longer is a fault; the caller's deadline has passed anyway.
    statement_timeout: 10_000,
    // The server keeps that time itself; this one ends the wait for a server that says nothing at all.
    query_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    ...(longs === "bigint" && { types: { getTypeParser } as pg.CustomTypesConfig }),
  });
  // A connection that breaks is replaced; without listeners, on idle ones and on those in use, it would end the process.
  const onError = (error: Error) => log.warn({ err: error }, "a database connection broke");
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

/** Runs `work` in a transaction on one client; commits what it did, or rolls it back when it throws. */
export async function transaction<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let unusable: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    // On a connection that failed a rollback would only wait; closing it rolls back as well.
    if (isConnectionFailure(error)) unusable = error as Error;
    else await client.query("rollback").catch((failed: Error) => (unusable = failed));
    throw error;
  } finally {
    client.release(unusable);
  }
}

const int8 = 20;

function getTypeParser(oid: number, format?: "text" | "binary") {
  if (oid === int8 && format !== "binary") return BigInt;
  return pg.types.getTypeParser(oid, format as "text");
}
