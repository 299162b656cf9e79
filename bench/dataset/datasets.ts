import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type Postgres, startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { type Databases, prepareDatabase } from "../../services/local/prepare-database.ts";
import { searchRules } from "../../services/platform/rules/search-rules.ts";
import { searchWords } from "../../services/social/domain/search-words.ts";
import { namePrefixes } from "../../services/social/domain/user-query.ts";
import { insertPrefixes } from "../../services/social/store/search/name-prefixes.ts";
import { benchFolder } from "../system/start-system.ts";

/** 2,000,000 statuses. The first `readers` authors have `deep` statuses each and are read; the others have `shallow` ones. */
const size = { authors: 10_000, readers: 1_000, deep: 1_100, shallow: 100 };

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
      say("loading two million statuses; they stay in .roost/bench");
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

/** Inserts the rows directly: two million calls of the API would take minutes. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // After a crash it is not used anyway: it counts as loaded only once it is marked so.
    await client.query("set synchronous_commit = off");
    await client.query(sql("profiles.sql"), [size.authors]);
    await client.query(sql("screen-names.sql"));
    const { authors, readers, deep, shallow } = size;
    const words = said.map((text) => searchWords(text).join(" "));
    await client.query(sql("statuses.sql"), [authors, readers, deep, shallow, said, words, searchRules]);
    await client.query(sql("words.sql"));
    await checkWords(client);
    await fillPrefixes(client);
    await client.query(sql("counters.sql"));
  } finally {
    await client.end();
  }
}

/** What the statuses say, one to three of them in each. */
const said = [
  "The ferry is late again, and all is well.",
  "Bread at seven, soup at noon.",
  "Has anybody seen a grey cat?",
  'We "fixed" the clock; it now runs backwards.',
  "New photographs of the harbour at low tide are up, all forty of them.",
  "Über den Dächern liegt Nebel.",
  "今日は海がとても静かです。",
  "I have read the report twice & still do not know what it says.",
  "Rain until Thursday.",
  "The choir meets in the old school this week, bring a chair and something warm.",
  "Thank you all!",
  "Trains run every hour, on the hour, except when they do not.",
];

/** @throws Error when the SQL makes other words of a text than the social service does */
async function checkWords(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ text: string; words: string[] }>(
    "select text, words from social.status limit 500",
  );
  for (const { text, words } of rows) {
    if (searchWords(text).sort().join() !== words.sort().join()) throw new Error(`other words: ${text}: ${words}`);
  }
}

async function fillPrefixes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ user_id: string; screen_name: string; name: string }>(
    "update social.profile set search_rules = $1 returning user_id, screen_name, name",
    [searchRules],
  );
  const users = rows.map((row) => ({
    userId: BigInt(row.user_id),
    screenName: row.screen_name,
    prefixes: namePrefixes(row.name),
  }));
  await insertPrefixes(client, users);
}

/** A dataset has some gigabytes. The newest of those that this run does not use stays, for runs that compare two commits. */
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
  const hash = createHash("sha256").update(JSON.stringify([size, said, searchRules]));
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
