import { Socket } from "node:net";
import pg from "pg";
import type { Log } from "../log.ts";
import { currentSpan } from "../tracing/span.ts";
import { isConnectionFailure } from "./failures.ts";
import { traceStatements } from "./trace-statements.ts";

/** Something that runs SQL: a pool, or one client inside a transaction. */
export type Db = Pick<pg.Pool, "query">;

export type Pool = pg.Pool;

export interface PoolOptions {
  /** How 64-bit integers arrive: as bigint, or as text for a library that expects what pg does by itself. */
  longs?: "bigint" | "text";
  /**
   * Whether the address is that of a pooler in transaction mode, such as PgBouncer, which gives each transaction another
   * session: then nothing is prepared, and the time of statements is the pooler's to limit.
   */
  isPooled?: boolean;
  /** Whether statements may take as long as they take, such as those that spread tables over a cluster. */
  isLongRunning?: boolean;
}

/** The pool for a service's statements: through the pooler where the configuration names one. */
export function createServicePool(
  { databaseUrl, poolerUrl }: { databaseUrl: string; poolerUrl: string | undefined },
  name: string,
  log: Log,
): Pool {
  return createPool(poolerUrl ?? databaseUrl, name, log, { isPooled: poolerUrl !== undefined });
}

/** A pool. Its parser of 64-bit integers is its own: pg's table is shared by every library in the process. */
export function createPool(
  connectionString: string,
  name: string,
  log: Log,
  { longs = "bigint", isPooled = false, isLongRunning = false }: PoolOptions = {},
): Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: name,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // The server keeps the times of `session` itself; this one ends the wait for a server that says nothing at all.
    query_timeout: isLongRunning ? 0 : 15_000,
    keepAlive: true,
    stream: () => new GuardedSocket(),
    ...(isPooled ? { Client: Unprepared } : isLongRunning ? {} : session),
    ...(longs === "bigint" && { types: { getTypeParser } as pg.CustomTypesConfig }),
  });
  // A connection that breaks is replaced; without listeners, on idle ones and on those in use, it would end the process.
  const onError = (error: Error) => log.warn({ err: error }, "a database connection broke");
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  pool.query = traceStatements(pool.query.bind(pool));
  return pool;
}

const session = {
  // A lock that is held for longer is a fault; the caller's deadline has passed anyway.
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
};

/** A client that sends each statement whole: what one session has prepared another does not know. */
class Unprepared extends pg.Client {
  override query(statement: unknown, ...rest: unknown[]): never {
    const isNamed = typeof statement === "object" && statement !== null && "name" in statement;
    const whole = isNamed ? { ...statement, name: undefined } : statement;
    return super.query(whole as string, ...(rest as [])) as never;
  }
}

/**
 * Runs `work` in a transaction on one client; commits what it did, or rolls it back when it throws.
 * @param lockTimeoutMs milliseconds that a statement may wait for a lock; as long as the statement may take when left out
 */
export async function transaction<T>(pool: Pool, work: (db: Db) => Promise<T>, lockTimeoutMs?: number): Promise<T> {
  const client = await pool.connect();
  let unusable: Error | undefined;
  try {
    const db = currentSpan() === undefined ? client : { query: traceStatements(client.query.bind(client)) };
    await db.query(lockTimeoutMs === undefined ? "begin" : `begin; ${lockTimeout(lockTimeoutMs)}`);
    const result = await work(db);
    const { command } = await db.query("commit");
    // A transaction that Postgres has given up answers a commit with ROLLBACK, and a broken answer has no tag at all.
    if (command !== "COMMIT") throw new Error("Connection terminated: the commit was not confirmed");
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

/**
 * In one round trip with the begin; only for this transaction, since a pooler gives the session to others afterwards. On a Citus
 * cluster the locks are those of its workers, and writes of several shards run beside each other, since those that wait for a lock
 * only so long need no protection against deadlocks; another server takes these settings for some of ours.
 */
function lockTimeout(ms: number): string {
  return `set local citus.propagate_set_commands = 'local'; set local citus.enable_deadlock_prevention = off;
    set local lock_timeout = ${ms}`;
}

const int8 = 20;

function getTypeParser(oid: number, format?: "text" | "binary") {
  if (oid === int8 && format !== "binary") return BigInt;
  return pg.types.getTypeParser(oid, format as "text");
}

/**
 * A socket on which garbage ends the connection. pg reads messages inside the socket's `data` event, and what its parser throws
 * there cannot be caught: it would end the process.
 */
class GuardedSocket extends Socket {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== "data") return super.emit(event, ...args);
    try {
      return super.emit(event, ...args);
    } catch (error) {
      this.destroy(new Error("Connection terminated: what came is none of Postgres's", { cause: error }));
      return true;
    }
  }
}
