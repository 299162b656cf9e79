import pg from "pg";

/** Whether an error says that the database could not be reached or refused to work, rather than that the SQL is wrong. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Every error of Postgres has a state: one without came from another server on its address, or is incomplete.
  if (error instanceof pg.DatabaseError) {
    if (error.code === undefined || unavailableStates.test(error.code)) return true;
    return lostWorker.test(error.message) || closedDatabase.test(error.message);
  }
  return (
    connectionErrors.has((error as NodeJS.ErrnoException).code ?? "") ||
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Client was closed|Cannot use a pool after)/.test(
      error.message,
    )
  );
}

/** Whether an error says that two transactions conflicted, so that running it again helps. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "40P01");
}

/** Whether an error says that a row was locked by another transaction for longer than this one may wait. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "55P03";
}

/**
 * The name of the unique constraint that an error violates, or undefined. Of what Citus copies to its shards only the message tells it;
 * the name is then that of a shard's constraint.
 */
export function violatedUnique(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return error.code === "23505" ? error.constraint : duplicateKey.exec(error.message)?.[1];
}

const duplicateKey = /^duplicate key value violates unique constraint "(.*)"/;

// Classes 08 (connection), 28 (sign-in refused, as while a password changes), 53 (resources), 57 (operator intervention, starting up),
// 25006 (a standby) and 3D000 (no such database, as while another one gets its name).
const unavailableStates = /^(08|28|53|57|25006|3D000)/;

// Its state (55000) has other meanings too.
const closedDatabase = /^database ".*" is not currently accepting connections/;

// The messages of a Citus coordinator when a worker ends during a statement: its own, and those of libpq about the connection. Both
// have the state of an internal error (XX000) or of an I/O error (58030).
const lostWorker =
  /^(failure on connection marked as essential|server closed the connection|SSL (SYSCALL error|connection has been closed)|could not (receive|send) data|no connection to the server|failed to (COPY|send|complete))/;

const connectionErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Whether running a write again helps: another write may have inserted a row since this one looked for it. */
export function isRetriable(error: unknown): boolean {
  return isConflict(error) || violatedUnique(error) !== undefined;
}

/** Runs a write again, at most four times, after a conflict with another write, or when another one has taken a name since it was looked up. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 5 || !isRetriable(error)) throw error;
    }
  }
}
