import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { TestServices } from "../support/services.ts";

/** What a test may do while rows are locked. */
export interface LockedRows {
  /** Waits until this many transactions of the database wait for a lock. */
  waiting(transactions: number): Promise<void>;
  /** Runs one statement in the transaction that locks the rows. */
  run(text: string, values: unknown[]): Promise<unknown>;
  /** Releases the lock. */
  release(): Promise<void>;
}

/** Runs `work` while another transaction locks the profiles of these users. */
export async function whileLocked<T>(
  { database }: TestServices,
  userIds: readonly bigint[],
  work: (locked: LockedRows) => Promise<T>,
): Promise<T> {
  const [holder, watcher] = [new pg.Client(database.social), new pg.Client(database.social)];
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    await holder.query("begin");
    await holder.query("select from social.profile where user_id = any ($1::bigint[]) for update", [userIds]);
    return await work({
      waiting: (transactions) => waiting(watcher, transactions),
      run: (text, values) => holder.query(text, values),
      release: async () => void (await holder.query("commit")),
    });
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}

// Checks often: a statement waits for a lock for a tenth of a second, is aborted, and is tried again.
async function waiting(watcher: pg.Client, transactions: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  const text = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while (((await watcher.query(text)).rowCount ?? 0) < transactions) {
    if (Date.now() > deadline) throw new Error(`no ${transactions} transactions were waiting at once`);
    await sleep(3);
  }
}
