import type { Db } from "../../../platform/postgres/pool.ts";

export interface Prepared {
  /** The names of the transactions; each locks the rows that it wrote, which no other transaction sees. */
  names: string[];
  /** Whether every worker has answered. */
  isComplete: boolean;
}

/**
 * The transactions of this database that were prepared on a worker more than `seconds` ago, and neither committed nor rolled
 * back. Only where `hasCitus`.
 */
export async function listPrepared(db: Db, seconds: number): Promise<Prepared> {
  const { rows } = await db.query<{ names: string[]; success: boolean }>({
    name: "list-prepared",
    text: `select success, case when success then string_to_array(result, ' ') else '{}' end as names
           from run_command_on_workers(format(
             'select coalesce(string_agg(gid, '' ''), '''') from pg_prepared_xacts
              where database = current_database() and prepared < now() - make_interval(secs => %s)', $1::integer))`,
    values: [seconds],
  });
  return { names: rows.flatMap((row) => row.names), isComplete: rows.every((row) => row.success) };
}
