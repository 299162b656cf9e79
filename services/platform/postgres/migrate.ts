import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { type MigrationBuilder, type RunnerOption, runner } from "node-pg-migrate";
import type { Log } from "../log.ts";

/**
 * Brings a schema to its newest migration, under node-pg-migrate's advisory lock, so that several processes may start at once.
 * Forward only: a mistake is corrected by the next migration. Runs all that are missing, or none.
 * @param directory holds files named NNNN_what-it-does: plain SQL, or TypeScript where our own code computes the data
 */
export async function migrate(databaseUrl: string, schema: string, directory: string, log: Log): Promise<void> {
  const quiet = log.child({ schema });
  const applied = await runner({
    databaseUrl,
    dir: directory,
    direction: "up",
    schema,
    createSchema: true,
    migrationsTable: "migration",
    checkOrder: true,
    singleTransaction: true,
    advisoryLockMode: "wait",
    migrationLoaderStrategies: migrationLoaders,
    logger: { debug() {}, info() {}, warn: (text) => quiet.warn(text), error: (text) => quiet.error(text) },
  });
  for (const { name } of applied) quiet.info({ migration: name }, "migrated");
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
