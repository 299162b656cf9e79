import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type Postgres, startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { type Databases, prepareDatabase } from "../../services/local/prepare-database.ts";
import { benchFolder } from "../system/start-system.ts";

/** 1,000,000 statuses. The first `readers` authors have `deep` statuses each and are read; the others have `shallow` ones. */
const size = { authors: 10_000, readers: 1_000, deep: 550, shallow: 50 };

/** The screen names of the authors who are read. */
export const readNames: readonly string[] = namesOf(size.readers);
/** The screen names of all authors. */
export const allNames: readonly string[] = namesOf(size.authors);

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `author${index + 1}`);
}

/** The Postgres of a run, with the dataset. */
export interface Datasets {
  postgres: Postgres;
  /**
   * The databases for the checkout at `root`. They stay in `.roost/bench` and are loaded again only when the migrations of the
   * checkout, the SQL beside this file or the size have changed.
   * @param migrate starts the system on an empty database and stops it again, which runs the migrations
   */
  databasesOf(root: string, migrate: (databases: Databases) => Promise<void>): Promise<Databases>;
}

/** Starts a Postgres of the bench, as durable as that of `npm start`. */
export async function openDatasets(say: (line: string) => void): Promise<Datasets> {
  const postgres = await startPostgres({ home: benchFolder, log: say });
  const inUse = new Set<string>();
  return {
    postgres,
    async databasesOf(root, migrate) {
      const name = `bench_large_${digest(root)}`;
      inUse.add(name);
      const databases = { account: postgres.url("account", name), social: postgres.url("social", name) };
      if (await isLoaded(postgres, name)) return databases;
      say("loading a million statuses; they stay in .roost/bench");
      await query(postgres.url("postgres", "postgres"), `drop database if exists ${name}`);
      await dropUnused(postgres, inUse);
      await migrate(await prepareDatabase(postgres, name));
      await fill(databases.social);
      await query(postgres.url("postgres", name), "vacuum analyze");
      await query(postgres.url("postgres", "postgres"), `comment on database ${name} is '${loaded}'`);
      return databases;
    },
  };
}

const loaded = "loaded";

/** Inserts the rows directly: a million calls of the API would take minutes. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // After a crash it is not used anyway: it counts as loaded only once it is marked so.
    await client.query("set synchronous_commit = off");
    await client.query(sql("profiles.sql"), [size.authors]);
    await client.query(sql("screen-names.sql"));
    await client.query(sql("statuses.sql"), [size.authors, size.readers, size.deep, size.shallow]);
    await client.query(sql("counters.sql"));
  } finally {
    await client.end();
  }
}

/** A dataset has more than a gigabyte. The newest of those that this run does not use stays, for runs that compare two commits. */
async function dropUnused(postgres: Postgres, inUse: ReadonlySet<string>): Promise<void> {
  const admin = postgres.url("postgres", "postgres");
  const rows = await query(admin, "select datname from pg_database where datname like 'bench\\_%' order by oid desc");
  const unused = rows.map(({ datname }) => datname as string).filter((name) => !inUse.has(name));
  for (const name of unused.slice(1)) await query(admin, `drop database ${name}`);
}

async function isLoaded(postgres: Postgres, name: string): Promise<boolean> {
  const comment = "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1";
  const [row] = await query(postgres.url("postgres", "postgres"), comment, [name]);
  return row?.comment === loaded;
}

async function query(connectionString: string, text: string, values: string[] = []) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<{ comment?: string; datname?: string }>(text, values)).rows;
  } finally {
    await client.end();
  }
}

function digest(root: string): string {
  const hash = createHash("sha256").update(JSON.stringify(size));
  for (const folder of [join(root, "services/account/migrations"), join(root, "services/social/migrations"), here]) {
    for (const file of readdirSync(folder).filter((file) => /^\d{4}_|\.sql$/.test(file))) {
      hash.update(file).update(readFileSync(join(folder, file)));
    }
  }
  return hash.digest("hex").slice(0, 12);
}

const here = import.meta.dirname;

function sql(file: string): string {
  return readFileSync(join(here, file), "utf8");
}
