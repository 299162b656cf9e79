import pg from "pg";
import type { Postgres } from "./postgres/start-postgres.ts";

/** The databases of the services, as URLs. */
export interface Databases {
  account: string;
  social: string;
}

/**
 * Makes one database with a role for each service, where they are missing. The roles may create schemas and nothing
 * else; each service owns what it creates, so neither reads the other's tables.
 */
export async function prepareDatabase(postgres: Pick<Postgres, "url">, name = "roost"): Promise<Databases> {
  const admin = new pg.Client({ connectionString: postgres.url("postgres", "postgres") });
  await admin.connect();
  try {
    for (const role of ["account", "social"]) {
      // One statement that may be run by several at once: tests prepare many databases on one server.
      await admin.query(
        `do $$ begin create role ${role} login; exception when duplicate_object or unique_violation then end $$`,
      );
    }
    const { rowCount } = await admin.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) await admin.query(`create database ${pg.escapeIdentifier(name)}`);
    await admin.query(`grant create on database ${pg.escapeIdentifier(name)} to account, social`);
  } finally {
    await admin.end();
  }
  return { account: postgres.url("account", name), social: postgres.url("social", name) };
}
