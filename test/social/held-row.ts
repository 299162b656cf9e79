import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { TestServices } from "../support/services.ts";

/** What a test does while a row is held. */
export interface HeldRow {
  /** Waits until as many transactions of this database wait for a lock. */
  waiting(transactions: number): Promise<void>;
  /** Runs one statement as what holds the row. */
  run(text: string, values: unknown[]): Promise<unknown>;
  /** Lets go of the row. */
  release(): Promise<void>;
}

/** Runs `work` while another transaction holds the row of a user's profile. */
export async function whileHeld<T>(
  { database }: TestServices,
  userId: bigint,
  work: (held: HeldRow) => Promise<T>,
): Promise<T> {
  const [holder, watcher] = [new pg.Client(database.social), new pg.Client(database.social)];
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    await holder.query("begin");
    await holder.query("select from social.profile where user_id = $1 for update", [userId]);
    return await work({
      waiting: (transactions) => waiting(watcher, transactions),
      run: (text, values) => holder.query(text, values),
      release: async () => void (await holder.query("commit")),
    });
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}

// Looks often: a statement waits for a lock for a tenth of a second, gives up, and is tried again.
async function waiting(watcher: pg.Client, transactions: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  const text = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while (((await watcher.query(text)).rowCount ?? 0) < transactions) {
    if (Date.now() > deadline) throw new Error(`no ${transactions} transactions were waiting at once`);
    await sleep(3);
  }
}
