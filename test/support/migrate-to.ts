import { join } from "node:path";
import { runner } from "node-pg-migrate";
import { migrationLoaders } from "../../services/platform/postgres/migrate.ts";

/** Runs the first `count` migrations of a service on an empty database, so that it is as an earlier version left it. */
export async function migrateTo(count: number, service: "account" | "social", databaseUrl: string): Promise<void> {
  await runner({
    databaseUrl,
    dir: join(import.meta.dirname, "../../services", service, "migrations"),
    direction: "up",
    count,
    schema: service,
    createSchema: true,
    migrationsTable: "migration",
    migrationLoaderStrategies: migrationLoaders,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
}
