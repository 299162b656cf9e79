import pg from "pg";
import { eventually } from "../support/eventually.ts";
import type { TestServices } from "../support/services.ts";

/** Runs `work` while another transaction holds the row of a user's profile; `release` lets go of it. */
export async function whileHeld<T>(
  { database }: TestServices,
  userId: bigint,
  work: (release: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: database.social });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select from social.profile where user_id = $1 for update", [userId]);
    return await work(async () => {
      await client.query("commit");
    });
  } finally {
    await client.end();
  }
}

/** Waits until as many transactions of this database wait for a lock. */
export async function waiting({ database }: TestServices, transactions: number): Promise<void> {
  await eventually(`${transactions} waiting for a lock`, async () => {
    const rows = await database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length >= transactions;
  });
}
