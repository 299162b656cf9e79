import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { UserError } from "../../../cli/errors.ts";
import { isConflict, isLockTimeout } from "../../platform/postgres/failures.ts";
import { migrateInside } from "../../platform/postgres/migrate.ts";
import { type Counted, checkBackup } from "./check-backup.ts";
import { applicationName, type Databases } from "./databases.ts";
import { type End, type Header, jobs, nameOf, type Part, type Service } from "./format.ts";
import type { RowProgress } from "./progress.ts";
import { openBackup } from "./read-backup.ts";

/**
 * Replaces the data of both services by that of a backup, with the migrations that it lacks, and ends all sessions. Services may go on
 * meanwhile: their statements wait, and their connections are ended. The file is checked first, and each database changes in one
 * transaction; that of profiles is committed first (`write-backup.ts` says why).
 * @param mayReplace whether the databases may hold data
 * @throws UserError when nothing was changed, also for a file of a newer release
 */
export async function restoreBackup(
  databases: Databases,
  file: string,
  mayReplace: boolean,
  progress: RowProgress,
): Promise<Counted> {
  const counted = await checkBackup(file, progress);
  for (const service of services) refuseNewer(file, service, counted.header);
  if (!mayReplace) await refuseData(databases);
  await prepareOutbox(databases.account);
  for (const service of services) await clear(databases[service], service);
  for (const service of services)
    await migrateInside(databases[service], service, folderOf(service), counted.header.migrations[service].length);
  const backup = await openBackup(file, (part, rows) => progress.rows(part, rows));
  try {
    for await (const { part, rows } of backup.parts()) {
      const client = databases[part.service];
      if (part.table === jobs.table) await loadJobs(client, rows, progress);
      else await loadTable(client, part, rows, progress);
    }
    await setSequences(databases, backup.end());
  } finally {
    backup.close();
  }
  for (const service of services) await migrateInside(databases[service], service, folderOf(service));
  // The versions of the past are given out again, for other states.
  await databases.social.query("select social.renew_epoch()");
  for (const service of services) await endConnections(databases[service]);
  await databases.social.query("commit");
  await databases.account.query("commit").catch((error: Error) => {
    throw new UserError(
      `The profiles were restored, the accounts were not (${error.message}). Run the same command again, with --replace.`,
    );
  });
  // What was prepared on a connection may name what is gone.
  for (const service of services) await endConnections(databases[service]);
  return counted;
}

/** Profiles first. */
const services = ["social", "account"] as const;

const folderOf = (service: Service) => join(import.meta.dirname, "../..", service, "migrations");

function refuseNewer(file: string, service: Service, { migrations }: Header): void {
  const known = readdirSync(folderOf(service))
    .filter((name) => /^\d+_/.test(name))
    .sort();
  const names = known.map((name) => name.replace(/\.\w+$/, ""));
  const unknown = migrations[service].find((name, index) => name !== names[index]);
  if (unknown === undefined) return;
  throw new UserError(
    `${file} was made by another release of Roost, probably a newer one: this one has no migration ${unknown} of the ${service} ` +
      "service. Restore it with that release or a later one. Nothing was changed.",
  );
}

async function refuseData(databases: Databases): Promise<void> {
  for (const service of services) {
    const table = await findTableWithRows(databases[service], service);
    if (table === undefined) continue;
    throw new UserError(
      `The ${service} database has data (${service}.${table}). To replace all of it, add --replace. Nothing was changed.`,
    );
  }
}

/** A table of a schema that has rows which no migration has made. */
async function findTableWithRows(client: pg.Client, service: Service): Promise<string | undefined> {
  for (const table of await listTables(client, service)) {
    if (["migration", "id_node", "epoch"].includes(table)) continue;
    if ((await client.query(`select from ${nameOf({ service, table })} limit 1`)).rowCount !== 0) return table;
  }
  return undefined;
}

async function listTables(client: pg.Client, service: Service): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select relname as table from pg_class where relnamespace = to_regnamespace($1) and relkind = 'r' order by 1`,
    [service],
  );
  return rows.map(({ table }) => table);
}

/** Makes the outbox where no service has, as the account service does at each start. */
async function prepareOutbox(client: pg.Client): Promise<void> {
  const { user = "", password = "", host, port, database = "", ssl } = client;
  const pool = new pg.Pool({ user, password: password ?? "", host, port, database, ssl, max: 1 });
  // A broken connection rejects the statement under way, too.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    await runMigrations({ pgPool: pool, schema: jobsSchema, logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}

const jobsSchema = "account_jobs";

/** Begins a transaction, and deletes a schema in it. Tries again when statements of the services hold it, whose connections are ended. */
async function clear(client: pg.Client, service: Service): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query("begin; set local lock_timeout = '3s'");
    try {
      await endConnections(client);
      const tables = (await listTables(client, service)).map((table) => nameOf({ service, table }));
      // The outbox, too: its worker would take jobs of the past before the accounts are there.
      if (service === "account") tables.push(`${jobsSchema}._private_jobs`, `${jobsSchema}._private_job_queues`);
      if (tables.length > 0) await client.query(`lock table ${tables.join(", ")} in access exclusive mode`);
      await client.query(`drop schema if exists ${pg.escapeIdentifier(service)} cascade`);
      if (service === "account") await client.query(`delete from ${jobsSchema}._private_jobs`);
      await client.query("set local lock_timeout = 0");
      return;
    } catch (error) {
      await client.query("rollback");
      if (tries === maxTries || !(isLockTimeout(error) || isConflict(error))) throw error;
      await sleep(100);
    }
  }
}

const maxTries = 10;

/** Ends the connections of this role to this database, except those of this command, which may be in the middle of a statement. */
async function endConnections(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = current_user and application_name <> $1`,
    [applicationName],
  );
}

type Rows = AsyncGenerator<Buffer, number>;

async function loadTable(client: pg.Client, part: Part, rows: Rows, progress: RowProgress): Promise<void> {
  // Migrations have made some rows.
  await client.query(`delete from ${nameOf(part)}`);
  await load(client, part, nameOf(part), rows, progress);
}

/** Adds the jobs anew by the library's own function, so that it does not matter which version wrote them. None is locked. */
async function loadJobs(client: pg.Client, rows: Rows, progress: RowProgress): Promise<void> {
  await client.query(
    `create temporary table restored_job (identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int,
       job_key text, priority int) on commit drop`,
  );
  await load(client, jobs, "restored_job", rows, progress);
  await client.query(
    `select count(${jobsSchema}.add_job(identifier, payload, queue_name, run_at, max_attempts, job_key, priority)) from restored_job`,
  );
}

async function load(client: pg.Client, part: Part, target: string, rows: Rows, progress: RowProgress): Promise<void> {
  const columns = part.columns.map((name) => pg.escapeIdentifier(name)).join(", ");
  const copy = client.query(copyFrom(`copy ${target} (${columns}) from stdin`));
  let expected = 0;
  await pipeline(async function* () {
    for (let next = await rows.next(); ; next = await rows.next()) {
      if (next.done) return void (expected = next.value);
      yield next.value;
    }
  }, copy);
  if (copy.rowCount !== expected) throw new Error(`Of ${expected} rows of ${target} ${copy.rowCount} were stored.`);
  progress.done(part, expected);
}

async function setSequences(databases: Databases, { sequences }: End): Promise<void> {
  for (const [name, { service, value, isCalled }] of Object.entries(sequences)) {
    await databases[service].query("select setval($1::regclass, $2, $3)", [name, value, isCalled]);
  }
}
