import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { type MigrationBuilder, type RunnerOption, runner } from "node-pg-migrate";
import type { ClientBase } from "pg";
import type { Log } from "../log.ts";
import type { Db } from "./pool.ts";

/**
 * Brings a schema to its newest migration, under node-pg-migrate's advisory lock, so that several processes may start at once.
 * Forward only: a mistake is corrected by the next migration. Runs all that are missing, or none.
 * @param directory holds files named NNNN_what-it-does: plain SQL, or TypeScript where our own code computes the data
 */
export async function migrate(databaseUrl: string, schema: string, directory: string, log: Log): Promise<void> {
  const quiet = log.child({ schema });
  const applied = await runner({
    ...settings(schema, directory),
    databaseUrl,
    singleTransaction: true,
    logger: { debug() {}, info() {}, warn: (text) => quiet.warn(text), error: (text) => quiet.error(text) },
  });
  for (const { name } of applied) quiet.info({ migration: name }, "migrated");
}

/**
 * Runs migrations that are missing inside a transaction that has begun, as part of it.
 * @param count how many at most; by default all
 */
export async function migrateInside(
  client: Db,
  schema: string,
  directory: string,
  count = Number.POSITIVE_INFINITY,
): Promise<void> {
  const isOfTransaction = (text: unknown) => typeof text === "string" && /^(begin|commit|rollback)\b/i.test(text);
  // The caller ends the transaction.
  const query = (text: string, ...rest: []) =>
    isOfTransaction(text) ? Promise.resolve({ rows: [] }) : client.query(text, ...rest);
  await runner({
    ...settings(schema, directory),
    dbClient: { query } as unknown as ClientBase,
    singleTransaction: true,
    count,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
}

function settings(schema: string, dir: string) {
  return {
    dir,
    direction: "up",
    schema,
    createSchema: true,
    migrationsTable: "migration",
    checkOrder: true,
    advisoryLockMode: "wait",
    migrationLoaderStrategies: migrationLoaders,
  } as const;
}

/** How the files of migrations are read. */
export const migrationLoaders: RunnerOption["migrationLoaderStrategies"] = [
  { extensions: [".sql"], loader: readMigrations },
  { extensions: [".ts"], loader: importMigrations },
];

/**
 * Runs each file as a block, statement by statement, and changes the shards of a Citus cluster one after the other. There a change of a
 * table is sent to the shards with the whole text of its query, which may be one statement only; and a function cannot be replaced after
 * a change of several shards at once.
 */
async function readMigrations(paths: string[]) {
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, "utf8");
      const up = (migration: MigrationBuilder) => {
        migration.sql("set local citus.multi_shard_modify_mode = 'sequential'");
        migration.sql(`do $migration$ begin\n${text}\nend $migration$`);
      };
      return { id: path, filePaths: [path], actions: { up, down: false as const } };
    }),
  );
}

/** Imports them like every other module, not by the library's own compiler. */
async function importMigrations(paths: string[]) {
  return Promise.all(
    paths.map(async (path) => ({ id: path, filePaths: [path], actions: await import(pathToFileURL(path).href) })),
  );
}
