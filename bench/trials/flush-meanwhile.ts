import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Measured } from "../load/load.ts";
import type { Outcome } from "./run-trial.ts";
import type { TrialContext } from "./trial-context.ts";

/** Measures the system while Redis is flushed each second, and counts the database's queries that this causes. */
export async function flushMeanwhile(
  { redis, databaseUrl }: TrialContext,
  authors: number,
  measure: () => Promise<Measured[][]>,
): Promise<Outcome> {
  let isOver = false;
  let count = 0;
  const flush = async () => {
    for (; !isOver; await sleep(1_000)) {
      await redis?.send("FLUSHALL");
      count += 1;
    }
  };
  const before = await countPageQueries(databaseUrl);
  const flushing = flush();
  const [system = []] = await measure().finally(() => (isOver = true));
  await flushing;
  const pageQueries = (await countPageQueries(databaseUrl)) - before;
  return { system, rivals: new Map(), flushes: { count, pageQueries, maxPageQueries: count * authors } };
}

/**
 * How many pages of statuses the database has read so far: scans of the primary key of social.status. Reading a timeline is one;
 * reading a freshness token or an author is none. Postgres publishes the statistics of an idle connection after 10 s.
 */
async function countPageQueries(databaseUrl: string): Promise<number> {
  await sleep(11_000);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ scans: string }>(
      "select idx_scan as scans from pg_stat_user_indexes where indexrelid = 'social.status_pkey'::regclass",
    );
    return Number(rows[0]?.scans);
  } finally {
    await client.end();
  }
}
