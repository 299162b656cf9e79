import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** A statement and its values. */
export type Statement = [text: string, values?: unknown[]];

/** What a test may do while a transaction is open. */
export interface OpenTransaction {
  /** Waits until this many other transactions of the database wait for a lock. */
  waiting(transactions: number): Promise<void>;
  /** Runs one more statement in it. */
  run(...statement: Statement): Promise<unknown>;
  /** Commits it, and so releases its locks. */
  commit(): Promise<void>;
}

/** Runs `work` while a transaction that has done these statements is not committed yet. */
export async function whileUncommitted<T>(
  databaseUrl: string,
  statements: readonly Statement[],
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const [holder, watcher] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    await holder.query("begin");
    for (const [text, values] of statements) await holder.query(text, values);
    return await work({
      waiting: (transactions) => waiting(watcher, transactions),
      run: (text, values) => holder.query(text, values),
      commit: async () => void (await holder.query("commit")),
    });
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}

// Checks often: a statement may wait for a lock for a tenth of a second only, is aborted, and is tried again.
async function waiting(watcher: pg.Client, transactions: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  const text = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while (((await watcher.query(text)).rowCount ?? 0) < transactions) {
    if (Date.now() > deadline) throw new Error(`no ${transactions} transactions were waiting at once`);
    await sleep(3);
  }
}
