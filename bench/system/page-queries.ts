import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/**
 * How many pages of statuses the database has read so far: scans of the primary key of social.status. Reading a timeline is one;
 * reading a freshness token or an author is none. Postgres publishes the statistics of an idle connection after 10 s.
 */
export async function countPageQueries(databaseUrl: string): Promise<number> {
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
