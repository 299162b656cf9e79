import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { UserError } from "../../../cli/errors.ts";
import { findRunningPostgres } from "../postgres/socket-directory.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { prepareDatabase } from "../prepare-database.ts";
import type { BackupConfig } from "./config.ts";
import type { Service } from "./format.ts";

/** One connection to each service's database, as the service's own role. */
export interface Databases {
  account: pg.Client;
  social: pg.Client;
  close(): Promise<void>;
}

/** The name of this command's connections. */
export const applicationName = "roost-backup";

/**
 * Connects to the databases that the settings name, or else to the embedded Postgres: the running one of `npm start`, or one that is started
 * for this command.
 * @param mayBeMade whether a home without data gets a database
 * @throws UserError for a home without data, and for a Citus cluster
 */
export async function openDatabases(
  { home, urls }: BackupConfig,
  mayBeMade: boolean,
  say: (line: string) => void,
): Promise<Databases> {
  const opened: { end(): Promise<unknown> }[] = [];
  const close = async () => {
    for (const one of opened.toReversed()) await one.end();
  };
  const connect = async (service: Service, url: string) => {
    const client = new pg.Client({ connectionString: url, application_name: applicationName, keepAlive: true });
    // A broken connection rejects the statement under way, too.
    client.on("error", () => {});
    await client.connect();
    opened.push(client);
    // The role, and so the text, may have been set to other forms.
    await client.query(
      "set datestyle = 'ISO, MDY'; set extra_float_digits = 3; set bytea_output = 'hex'; set intervalstyle = 'postgres'",
    );
    await refuseCluster(client, service);
    return client;
  };
  try {
    const { account, social } = urls ?? (await embedded());
    return { account: await connect("account", account), social: await connect("social", social), close };
  } catch (error) {
    await close();
    throw error;
  }

  async function embedded() {
    const running = findRunningPostgres(home);
    if (running !== undefined)
      return { account: running.url("account", "roost"), social: running.url("social", "roost") };
    if (!mayBeMade && !existsSync(join(home, "postgres", "data"))) throw new UserError(`There is no data in ${home}.`);
    say(`starting the Postgres of ${home}`);
    const postgres = await startPostgres({ home, log: say });
    opened.push({ end: () => postgres.stop() });
    return prepareDatabase(postgres);
  }
}

/** Its servers have no snapshot in common, and its tables would have to be distributed again. */
async function refuseCluster(client: pg.Client, service: Service): Promise<void> {
  const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
  if (rowCount !== 0) {
    throw new UserError(
      `The ${service} database is a Citus cluster. Back up its servers with the tools of Citus or of your provider.`,
    );
  }
}
