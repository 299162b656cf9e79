import { Socket } from "node:net";
import pg from "pg";
import type { Log } from "../log.ts";
import { addGauge } from "../metrics/instruments.ts";
import type { Registry } from "../metrics/registry.ts";
import { currentSpan, withSpan } from "../tracing/span.ts";
import { isConnectionFailure } from "./failures.ts";

/** Something that runs SQL: a pool, or one client inside a transaction. */
export type Db = Pick<pg.Pool, "query">;

export type Pool = pg.Pool;

export interface PoolOptions {
  /** The type of 64-bit integers in results: bigint, or text for a library that expects pg's default. */
  longs?: "bigint" | "text";
  /**
   * Whether the URL is that of a pooler in transaction mode, such as PgBouncer, which gives each transaction another session:
   * then nothing is prepared, and the pooler limits the time of statements.
   */
  isPooled?: boolean;
  /** Whether statements have no time limit, such as those that distribute tables over a cluster. */
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

/**
 * A pool of at most 10 connections, with its own parser of 64-bit integers, since pg's table of parsers is shared by every library in the
 * process. A statement rejects after 10 s, or 15 s without an answer of the server, a connection that cannot be made after 5 s, and an idle
 * transaction ends after 15 s. Through a pooler only the 15 s without an answer hold; a long-running pool has no limits of statements.
 */
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
    // The server enforces the limits of `session`; this one ends the wait for a server that does not answer at all.
    query_timeout: isLongRunning ? 0 : 15_000,
    keepAlive: true,
    stream: () => new GuardedSocket(),
    Client: isPooled ? Unprepared : Client,
    ...(isPooled || isLongRunning ? {} : session),
    ...(longs === "bigint" && { types: { getTypeParser } as pg.CustomTypesConfig }),
  });
  // A broken connection is replaced. Without listeners, on idle connections and on those in use, its error would end the process.
  const onError = (error: Error) => log.warn({ err: error }, "a database connection broke");
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  pool.query = traceStatements(pool.query.bind(pool));
  return pool;
}

const session = {
  // A lock held for longer is a fault, and the caller's deadline has passed anyway.
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
};

/** The parameters that pg sends when it connects; its types lack them. */
const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): Record<string, string> };

/** A client whose dates come as pg reads them, whatever form the database or the role has been set to. Poolers know this setting. */
class Client extends pg.Client {
  // Spelled as Postgres reports it: PgBouncer would set any other spelling again before each transaction.
  protected getStartupConf(): Record<string, string> {
    return { ...getStartupConf.call(this), datestyle: "ISO, MDY" };
  }
}

/** A client that sends each statement in full: a statement prepared in one session is unknown in another. */
class Unprepared extends Client {
  override query(statement: unknown, ...rest: unknown[]): never {
    const isNamed = typeof statement === "object" && statement !== null && "name" in statement;
    const whole = isNamed ? { ...statement, name: undefined } : statement;
    return super.query(whole as string, ...(rest as [])) as never;
  }
}

/**
 * Runs `work` in a transaction on one client; commits it, or rolls it back when `work` throws.
 *
 * A commit with a notice is not confirmed. Postgres sends no notice with a commit. A Citus coordinator does when the commit is decided but
 * a worker was lost before it received it: until then reads of that worker see the old state.
 * @param lockTimeoutMs milliseconds that a statement may wait for a lock; by default as long as the statement may take
 * @throws what `work` throws, and Error when the commit is not confirmed: then the changes may be stored or not
 */
export async function transaction<T>(pool: Pool, work: (db: Db) => Promise<T>, lockTimeoutMs?: number): Promise<T> {
  const client = await pool.connect();
  let unusable: Error | undefined;
  let notice: string | undefined;
  const onNotice = ({ message }: { message?: string }) => {
    notice = message;
  };
  try {
    const db = currentSpan() === undefined ? client : { query: traceStatements(client.query.bind(client)) };
    await db.query(lockTimeoutMs === undefined ? "begin" : `begin; ${lockTimeout(lockTimeoutMs)}`);
    const result = await work(db);
    client.on("notice", onNotice);
    const { command } = await db.query("commit");
    // Postgres answers the commit of an aborted transaction with ROLLBACK; a broken answer has no tag at all.
    if (command !== "COMMIT" || notice !== undefined) {
      throw new Error(`Connection terminated: the commit was not confirmed: ${notice ?? command}`);
    }
    return result;
  } catch (error) {
    // On a failed connection a rollback would only wait; closing the connection rolls back as well.
    if (isConnectionFailure(error)) unusable = error as Error;
    else await client.query("rollback").catch((failed: Error) => (unusable = failed));
    throw error;
  } finally {
    client.off("notice", onNotice);
    client.release(unusable);
  }
}

/**
 * Sent in one round trip with the begin, and for this transaction only, since a pooler gives the session to others afterwards. On
 * a Citus cluster it limits the locks on the workers, and lets writes of several shards run side by side: they need no protection
 * against deadlocks when their waits for locks are short. Without Citus its settings are unknown names, which have no effect.
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
 * A socket on which garbage ends the connection. pg reads messages inside the socket's `data` event, where an error of its parser
 * cannot be caught and would end the process.
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

/**
 * Wraps `query` so that each statement inside a span gets a span of its own. A span holds the statement's text with its `$1`, and
 * no values.
 */
export function traceStatements(query: Pool["query"]): Pool["query"] {
  const traced = (statement: unknown, ...rest: unknown[]): unknown => {
    const run = () => query(statement as string, ...(rest as [])) as unknown;
    const cause = currentSpan();
    if (cause === undefined) return run();
    const { name, text } = typeof statement === "string" ? { name: undefined, text: statement } : (statement as Named);
    const attributes = { "db.system.name": "postgresql", "db.query.text": text };
    const span = cause.child(name ?? text.split(/\s/, 1)[0] ?? "", attributes);
    return withSpan(span, codeOf, run as () => Promise<unknown>);
  };
  return traced as Pool["query"];
}

interface Named {
  name?: string;
  text: string;
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? (error as Error).name;
}
