import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { type Postgres, startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { prepareDatabase } from "../../services/local/prepare-database.ts";
import { createLog } from "../../services/platform/log.ts";
import { migrate } from "../../services/platform/postgres/migrate.ts";
import type { Db } from "../../services/platform/postgres/pool.ts";
import { createClusterDatabase, readCluster } from "./citus.ts";
import { makeDataFolder } from "./data-folder.ts";
import { queryOnce, type TestDatabase, type TestServer, whileCutOff } from "./test-database.ts";

/** The database that is cloned; each server has one. */
const original = "test_original";
const services = join(import.meta.dirname, "../../services");

/**
 * Makes a database with all migrations by cloning one, which takes a fifth of the time of the migrations. Services still look for
 * migrations when they start, and find none to run.
 */
async function cloneMigrated(server: Pick<Postgres, "url">, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url("postgres", "postgres") });
  await admin.connect();
  try {
    // Several rooms may come at the same time. The lock ends with the connection.
    await admin.query("select pg_advisory_lock(hashtext($1))", [original]);
    const { rowCount } = await admin.query("select from pg_database where datname = $1", [original]);
    if (rowCount === 0) await makeOriginal(server, admin);
    await admin.query("select pg_advisory_unlock_all()");
    await admin.query(`create database ${name} template ${original} strategy file_copy`);
  } finally {
    await admin.end();
  }
}

/** It has another name until it is complete, so that an incomplete one is never cloned. */
async function makeOriginal(server: Pick<Postgres, "url">, admin: pg.Client): Promise<void> {
  const name = `${original}_${process.pid}`;
  const { account, social } = await prepareDatabase(server, name);
  const log = createLog("test", "silent");
  await migrate(social, "social", join(services, "social/migrations"), log);
  await migrate(account, "account", join(services, "account/migrations"), log);
  await runMigrations({ connectionString: account, schema: "account_jobs" });
  await admin.query(`alter database ${name} rename to ${original}`);
}

/** The server that the whole test run shares, as a URL with {role} and {database}; set by test/run.ts. */
const shared = process.env.TEST_POSTGRES_URL;

/** The Citus cluster on which the test run puts the databases of services; undefined without one. Set by test/run.ts. */
export const sharedCluster = process.env.TEST_CLUSTER_URL;

/** The run's Postgres, or one of this process's own when a test file is run by itself. */
export async function openTestServer(): Promise<TestServer> {
  if (shared !== undefined) return { url: fill(shared), stop: async () => {} };
  const home = makeDataFolder("roost-test-");
  const postgres = await startPostgres({ home, durable: false });
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function fill(template: string): TestServer["url"] {
  return (role, database) => template.replace("{role}", role).replace("{database}", database);
}

/**
 * A database of a test file's own, prepared as `npm start` prepares it; in a test run it already has the schemas.
 * @param language of its collation, such as "tr", without schemas; the server's by default
 */
export async function createTestDatabase(language?: string): Promise<TestDatabase> {
  const server = await openTestServer();
  if (sharedCluster === undefined || language !== undefined) return createDatabaseOn(server, language);
  return createClusterDatabase(await readCluster(sharedCluster), server);
}

/** The same on this server, also where the test run has a cluster. */
export async function createDatabaseOn(server: TestServer, language?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const run = (text: string, values?: unknown[]) => queryOnce(server.url("postgres", "postgres"), text, values);
  if (language !== undefined) {
    const letters = `encoding 'UTF8' locale 'C' locale_provider icu icu_locale '${language}'`;
    await run(`create database ${name} template template0 ${letters}`);
  } else if (shared !== undefined) {
    // For a single file the migrations take less time than making the database that is cloned.
    await cloneMigrated(server, name);
  }
  const urls = await prepareDatabase(server, name);
  // Most of what a new connection costs is the process that Postgres starts for it.
  const pool = new pg.Pool({ connectionString: server.url("postgres", name), allowExitOnIdle: true });
  // A broken connection is replaced.
  pool.on("error", () => {});
  return {
    ...urls,
    query: async (text, values) => (await pool.query(text, values)).rows,
    whileUnavailable: (role, work) => whileCutOff(run, { database: name, role }, work),
    async drop() {
      await pool.end();
      await run(`drop database ${name} with (force)`);
      await server.stop();
    },
  };
}

/** Explains statements instead of running them; `plan` is that of the last one. */
export function explaining({ query }: Pick<TestDatabase, "query">): { plan: string; db: Db } {
  const explain = async ({ text, values }: { text: string; values: unknown[] }) => {
    const rows = await query(`explain (costs off) ${text}`, values);
    explained.plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    return { rows: [] };
  };
  const explained = { plan: "", db: { query: explain } as unknown as Db };
  return explained;
}
