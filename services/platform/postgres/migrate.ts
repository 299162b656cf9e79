import { runner } from "node-pg-migrate";
import type { Log } from "../log.ts";

/**
 * Brings a schema to the newest migration, under node-pg-migrate's advisory lock, so that several processes may start at
 * once. Forward only: a mistake is mended by the next migration.
 * @param directory holds plain SQL files named NNNN_what-it-does.sql
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
    advisoryLockMode: "wait",
    logger: { debug() {}, info() {}, warn: (text) => quiet.warn(text), error: (text) => quiet.error(text) },
  });
  for (const { name } of applied) quiet.info({ migration: name }, "migrated");
}
