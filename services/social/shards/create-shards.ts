import { setTimeout as sleep } from "node:timers/promises";
import { isConflict, isLockTimeout } from "../../platform/postgres/failures.ts";
import { type Db, type Pool, transaction } from "../../platform/postgres/pool.ts";
import { distribution, firstTable } from "../store/shards/distribution.ts";
import {
  distributeTable,
  hasCitus,
  listTableLocations,
  lockTables,
  replicateTable,
  truncateLocalRows,
} from "../store/shards/tables.ts";

/**
 * Distributes the tables that are still on the coordinator and should not be: all of them or none. Reads continue; writes wait.
 * Returns their names.
 * @throws Error for a table that `distribution` does not name, or when writes locked the tables at each attempt
 */
export async function createShards(pool: Pool): Promise<string[]> {
  const distributed = await whenUnlocked(() => transaction(pool, distributeMissing));
  for (const table of distributed) await truncateLocalRows(pool, table);
  return distributed;
}

async function distributeMissing(db: Db): Promise<string[]> {
  // One at a time: several processes may start at once. For the rest of the transaction.
  await db.query("select pg_advisory_xact_lock(hashtext('social shards'))");
  await db.query("set local citus.multi_shard_modify_mode = 'sequential'");
  // Copying large tables takes long.
  await db.query("set local statement_timeout = 0");
  const places = new Map((await listTableLocations(db)).map(({ table, place }) => [table, place]));
  for (const table of places.keys()) {
    if (distribution[table] === undefined) throw new Error(`No distribution is known of the table ${table}.`);
  }
  const missing = Object.entries(distribution).filter(
    ([table, place]) => places.has(table) && places.get(table) === "coordinator" && place !== "coordinator",
  );
  const tables = missing.map(([table]) => table);
  if (tables.length > 0) await lockTables(db, tables, lockTimeoutMs);
  for (const [table, place] of missing) {
    if (place === "everywhere") await replicateTable(db, table);
    else if (place !== "coordinator") await distributeTable(db, table, place);
  }
  return tables;
}

/** Less than Postgres's deadlock_timeout of a second: in a deadlock with a write this transaction fails first, and begins again. */
const lockTimeoutMs = 500;
const maxTries = 60;

async function whenUnlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !(isLockTimeout(error) || isConflict(error))) throw error;
      await sleep(Math.random() * 500);
    }
  }
}

/**
 * Distributes the tables that a migration has added to a database whose tables are distributed already; changes no other
 * database.
 */
export async function distributeNewTables(pool: Pool): Promise<void> {
  if (!(await hasCitus(pool))) return;
  const places = await listTableLocations(pool);
  if (places.some(({ table, place }) => table === firstTable && place !== "coordinator")) await createShards(pool);
}
