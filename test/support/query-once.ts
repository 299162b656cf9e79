import pg from "pg";

/** Runs one statement over a connection of its own and returns its rows. */
export async function queryOnce(
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  // When the server ends, the statement fails and not the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
