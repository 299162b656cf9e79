import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Postgres } from "../../services/local/postgres/start-postgres.ts";
import { type Databases, prepareDatabase } from "../../services/local/prepare-database.ts";
import type { Dataset } from "./dataset.ts";

/** Creates the empty schemas of a system in databases. */
export type Migrate = (databases: Databases) => Promise<void>;

/**
 * The databases of a dataset, loaded now or by an earlier run. The name of a database contains a digest of all that its contents
 * depend on (the migrations of the system at `root`, the SQL beside this file, the sizes), so it is used again only for the same
 * contents. The rows are inserted directly: a million calls of the API would take minutes.
 */
export async function loadDataset(
  postgres: Pick<Postgres, "url">,
  dataset: Dataset,
  root: string,
  migrate: Migrate,
  say: (line: string) => void,
): Promise<Databases> {
  const name = `bench_${dataset.name}_${digest(dataset, root)}`;
  inUse.add(name);
  const databases = { account: postgres.url("account", name), social: postgres.url("social", name) };
  if (await isComplete(postgres, name)) {
    say(`using the ${dataset.name} dataset of an earlier run (delete .roost/bench to load it anew)`);
    return databases;
  }
  const start = performance.now();
  await admin(postgres, "postgres", `drop database if exists ${name}`);
  await dropOld(postgres, `bench_${dataset.name}_`);
  await migrate(await prepareDatabase(postgres, name));
  await fill(databases.social, dataset);
  await admin(postgres, name, "vacuum analyze");
  await admin(postgres, "postgres", `comment on database ${name} is '${complete}'`);
  const statuses = dataset.authors * dataset.shallow + dataset.readers * (dataset.deep - dataset.shallow);
  say(
    `loaded ${dataset.authors} authors with ${statuses} statuses in ${Math.round((performance.now() - start) / 1_000)} s`,
  );
  return databases;
}

const complete = "loaded";

async function fill(url: string, { authors, readers, deep, shallow }: Dataset): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // After a crash it is not used anyway: it counts as complete only once it is marked so.
    await client.query("set synchronous_commit = off");
    await client.query(sql("profiles.sql"), [authors, Date.now()]);
    await client.query(sql("screen-names.sql"));
    await client.query(sql("statuses.sql"), [authors, readers, deep, shallow]);
    await client.query(sql("counters.sql"));
  } finally {
    await client.end();
  }
}

const inUse = new Set<string>();

// A dataset has more than a gigabyte. The newest of those that this run does not use stays, for runs that compare two sizes.
async function dropOld(postgres: Pick<Postgres, "url">, prefix: string): Promise<void> {
  const list = "select datname from pg_database where starts_with(datname, $1) order by oid desc";
  const names = (await admin(postgres, "postgres", list, [prefix])).map(({ datname }) => datname as string);
  for (const name of names.filter((name) => !inUse.has(name)).slice(1)) {
    await admin(postgres, "postgres", `drop database ${name}`);
  }
}

async function isComplete(postgres: Pick<Postgres, "url">, name: string): Promise<boolean> {
  const comment = "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1";
  const [row] = await admin(postgres, "postgres", comment, [name]);
  return row?.comment === complete;
}

async function admin(postgres: Pick<Postgres, "url">, database: string, text: string, values?: string[]) {
  const client = new pg.Client({ connectionString: postgres.url("postgres", database) });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as { comment?: string; datname?: string }[];
  } finally {
    await client.end();
  }
}

function digest(dataset: Dataset, root: string): string {
  const hash = createHash("sha256").update(JSON.stringify(dataset));
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
