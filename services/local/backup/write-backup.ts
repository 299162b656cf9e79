import { createHash } from "node:crypto";
import { createWriteStream, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type Counted, checkBackup } from "./check-backup.ts";
import type { Databases } from "./databases.ts";
import {
  countLines,
  type End,
  formatVersion,
  type Header,
  jobs,
  nameOf,
  type Part,
  type PartEnd,
  type SequenceState,
  type Service,
} from "./format.ts";
import type { RowProgress } from "./progress.ts";

/**
 * Writes all data of both services to a file that only its owner may read, then reads it again to its end. The file has its name only
 * when it is whole. Sessions are left out. Services may go on meanwhile. Uses as much memory for a large system as for a small one.
 */
export async function writeBackup(databases: Databases, file: string, progress: RowProgress): Promise<Counted> {
  const unfinished = `${file}.part`;
  try {
    const output = createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(Readable.from(withEnd(lines(databases, progress))), createGzip({ level: 4 }), output);
    const counted = await checkBackup(unfinished, progress);
    renameSync(unfinished, file);
    return counted;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Everything before the last line; returns what that says besides its checksum. */
async function* lines(databases: Databases, progress: RowProgress): AsyncGenerator<Buffer, Omit<End, "sha256">> {
  const isOneMoment = await beginSnapshots(databases);
  const parts: Part[] = [];
  const migrations: Header["migrations"] = { account: [], social: [] };
  for (const service of ["account", "social"] as const) {
    parts.push(...(await lockTables(databases[service], service)));
    migrations[service] = await listMigrations(databases[service], service);
  }
  if (await hasOutbox(databases.account)) parts.push(jobs);
  yield line({
    "roost-backup": formatVersion,
    madeAt: new Date().toISOString(),
    isOneMoment,
    migrations,
  } satisfies Header);
  for (const part of parts) yield* partLines(databases[part.service], part, progress);
  const sequences = { ...(await readSequences(databases, "account")), ...(await readSequences(databases, "social")) };
  return { parts: parts.length, sequences };
}

async function* withEnd(before: AsyncGenerator<Buffer, Omit<End, "sha256">>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for (;;) {
    const { done, value } = await before.next();
    if (done) return yield line({ ...value, sha256: hash.digest("hex") } satisfies End);
    hash.update(value);
    yield value;
  }
}

/**
 * Begins a transaction on each database that sees one snapshot. Schemas in one database share theirs. Of two databases that of profiles
 * comes first: then each profile has its account, and what is missing, the profiles of the newest accounts, can be made from these.
 * The other way round there would be profiles without an account, to which no user has a password.
 * @returns whether they share it
 */
async function beginSnapshots({ social, account }: Databases): Promise<boolean> {
  const begin = "begin isolation level repeatable read read only";
  await social.query(begin);
  const { rows } = await social.query<{ snapshot: string }>("select pg_export_snapshot() as snapshot");
  const isOne = (await placeOf(social)) === (await placeOf(account));
  await account.query(begin);
  // The first statement takes the snapshot.
  if (isOne) await account.query(`set transaction snapshot ${pg.escapeLiteral(rows[0]?.snapshot ?? "")}`);
  await account.query("select");
  return isOne;
}

/** A text that two connections have in common only when they are to the same database of the same server. */
async function placeOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ place: string }>(
    `select concat_ws(' ', oid, extract(epoch from pg_postmaster_start_time()), (pg_control_system()).system_identifier) as place
     from pg_database where datname = current_database()`,
  );
  return rows[0]?.place;
}

/** The tables of a schema, which no migration changes until the end of the transaction. */
async function lockTables(client: pg.Client, service: Service): Promise<Part[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select relname as table, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = to_regnamespace($1) and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
     group by relname order by relname`,
    [service],
  );
  const parts = rows
    .map(({ table, columns }) => ({ service, table, columns }))
    .filter(({ table }) => table !== "session");
  if (parts.length > 0) await client.query(`lock table ${parts.map(nameOf).join(", ")} in access share mode`);
  return parts;
}

async function listMigrations(client: pg.Client, service: Service): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select name from ${service}.migration order by run_on, id`);
  return rows.map(({ name }) => name);
}

async function hasOutbox(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('account_jobs._private_jobs') is not null as there");
  return rows[0].there;
}

async function* partLines(client: pg.Client, part: Part, progress: RowProgress): AsyncGenerator<Buffer> {
  yield line(part);
  const hash = createHash("sha256");
  let rows = 0;
  const columns = part.columns.map((name) => pg.escapeIdentifier(name)).join(", ");
  const source = part.table === jobs.table ? `(${selectJobs})` : `${nameOf(part)} (${columns})`;
  for await (const chunk of client.query(copyTo(`copy ${source} to stdout`)) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    rows += countLines(chunk);
    progress.rows(part, rows);
    yield chunk;
  }
  progress.done(part, rows);
  yield Buffer.from("\\.\n");
  yield line({ rows, sha256: hash.digest("hex") } satisfies PartEnd);
}

const selectJobs = `
  select identifier, payload, queue_name, run_at, max_attempts, key, job.priority
  from account_jobs._private_jobs as job join account_jobs._private_tasks as task on task.id = task_id
    left join account_jobs._private_job_queues as queue on queue.id = job_queue_id
  order by job.id`;

/** Read after the rows: a sequence shows what later transactions took from it, too, and may only be ahead. */
async function readSequences(databases: Databases, service: Service): Promise<Record<string, SequenceState>> {
  const { rows } = await databases[service].query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = to_regnamespace($1) and relkind = 'S' order by 1",
    [service],
  );
  const states: Record<string, SequenceState> = {};
  for (const { name } of rows) {
    const { rows: state } = await databases[service].query(
      `select last_value::text as value, is_called as "isCalled" from ${nameOf({ service, table: name })}`,
    );
    states[nameOf({ service, table: name })] = { service, ...state[0] };
  }
  return states;
}

function line(content: object): Buffer {
  return Buffer.from(`${JSON.stringify(content)}\n`);
}
