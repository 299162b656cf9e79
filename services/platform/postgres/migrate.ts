import { pathToFileURL } from "node:url";
import { type RunnerOption, runner } from "node-pg-migrate";
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
  { extensions: [".sql"], loader: "legacySql" },
  { extensions: [".ts"], loader: importMigrations },
];

/** Imports them like every other module, not by the library's own compiler. */
async function importMigrations(paths: string[]) {
  return Promise.all(
    paths.map(async (path) => ({ id: path, filePaths: [path], actions: await import(pathToFileURL(path).href) })),
  );
}
