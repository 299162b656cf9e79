import type { Db } from "../../../platform/postgres/pool.ts";
import { type Column, firstTable } from "./distribution.ts";

/** Where a table lies: as in `distribution`, or distributed by another column, which is wrong. */
export interface TableLocation {
  table: string;
  place: string;
}

/** Whether the database is that of a Citus cluster. */
export async function hasCitus(db: Db): Promise<boolean> {
  const { rowCount } = await db.query("select from pg_extension where extname = 'citus'");
  return rowCount === 1;
}

/** Asks `hasCitus` once, and again only after a failure. */
export function createClusterCheck(db: Db): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    answer ??= hasCitus(db).catch((error) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}

/** All tables of the schema and where they lie. Only where `hasCitus`. */
export async function listTableLocations(db: Db): Promise<TableLocation[]> {
  const { rows } = await db.query<TableLocation>(
    `select relname as table, case citus_table_type
              when 'distributed' then distribution_column when 'reference' then 'everywhere' else 'coordinator' end as place
     from pg_class left join citus_tables on table_name = pg_class.oid
     where relnamespace = 'social'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  return rows;
}

/**
 * Locks all these tables against writes until the transaction ends. Locking each one only after the table before was copied would cause
 * deadlocks with writes that have locked one table and wait for another.
 * @param timeoutMs milliseconds that each lock may take; later statements wait as long as they have to
 */
export async function lockTables(db: Db, tables: readonly string[], timeoutMs: number): Promise<void> {
  await db.query(`set local lock_timeout = ${timeoutMs}`);
  await db.query(`lock table ${tables.map((table) => `social.${table}`).join(", ")} in exclusive mode`);
  await db.query("set local lock_timeout = 0");
}

/** Distributes a table by a column, colocated with the first table. Reads continue; writes wait until the commit. */
export async function distributeTable(db: Db, table: string, column: Column): Promise<void> {
  const colocateWith = table === firstTable ? "none" : `social.${firstTable}`;
  await db.query("select create_distributed_table(($1::text)::regclass, $2, colocate_with => $3)", [
    `social.${table}`,
    column,
    colocateWith,
  ]);
}

/** Makes a table a reference table, on every server. Reads continue; writes wait until the commit. */
export async function replicateTable(db: Db, table: string): Promise<void> {
  await db.query("select create_reference_table(($1::text)::regclass)", [`social.${table}`]);
}

/** Frees the space that a table took on the coordinator before it was distributed. */
export async function truncateLocalRows(db: Db, table: string): Promise<void> {
  await db.query("select truncate_local_data_after_distributing_table(($1::text)::regclass)", [`social.${table}`]);
}

/** What one server of the cluster holds. */
export interface ServerShards {
  server: string;
  shards: bigint;
  bytes: bigint;
}

/** How many shards of the schema lie on each server, and their size. Only where `hasCitus`. */
export async function listServerShards(db: Db): Promise<ServerShards[]> {
  const { rows } = await db.query<ServerShards>(
    `select nodename || ':' || nodeport as server, count(*) as shards, sum(shard_size)::bigint as bytes
     from citus_shards join pg_class on pg_class.oid = table_name
     where relnamespace = 'social'::regnamespace and citus_table_type = 'distributed' group by 1 order by 1`,
  );
  return rows;
}

/** Moves shards until all servers hold about as much. With `blockWrites`, writes to the moving shard wait. */
export async function rebalanceShards(db: Db, blockWrites: boolean): Promise<void> {
  const mode = blockWrites ? "block_writes" : "auto";
  await db.query(
    // Without a cast: only a superuser may name the type, which lies in the schema citus.
    "select rebalance_table_shards('social.profile', shard_transfer_mode => $1)",
    [mode],
  );
}
