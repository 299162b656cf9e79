import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export type Statement = [text: string, values?: unknown[]];

export type OpenTransaction = Awaited<ReturnType<typeof actionsOn>>;

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
    return await work(await actionsOn(holder, watcher));
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}

async function actionsOn(holder: pg.Client, watcher: pg.Client) {
  const { view, pid } = await viewOfSessions(watcher);
  const waiters = `from ${view} where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    /** Waits until this many other transactions of the database wait for a lock. */
    waiting: (transactions: number) => waiting(watcher, `select ${waiters}`, transactions),
    /** Ends the connections of those that wait for a lock. */
    endWaiting: async () => void (await watcher.query(`select pg_terminate_backend(${pid}) ${waiters}`)),
    run: (...[text, values]: Statement): Promise<unknown> => holder.query(text, values),
    /** Commits it, and so releases its locks. */
    commit: async () => void (await holder.query("commit")),
  };
}

// Checks often: a statement may wait for a lock for a tenth of a second only, is aborted, and is tried again.
async function waiting(watcher: pg.Client, text: string, transactions: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (((await watcher.query(text)).rowCount ?? 0) < transactions) {
    if (Date.now() > deadline) throw new Error(`no ${transactions} transactions were waiting at once`);
    await sleep(3);
  }
}

/** Where sessions are listed, with the column that names each: on a Citus cluster they wait on its workers. */
async function viewOfSessions(watcher: pg.Client): Promise<{ view: string; pid: string }> {
  const { rows } = await watcher.query("select to_regclass('citus_stat_activity') is not null as is_cluster");
  return rows[0].is_cluster
    ? { view: "citus_stat_activity", pid: "global_pid" }
    : { view: "pg_stat_activity", pid: "pid" };
}
