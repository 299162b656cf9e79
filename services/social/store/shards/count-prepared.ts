import type { Db } from "../../../platform/postgres/pool.ts";

/**
 * How many transactions of this database were prepared on a worker more than `seconds` ago, and neither committed nor rolled
 * back; each locks the rows that it wrote. A worker that does not answer is not counted. Only where `hasCitus`.
 */
export async function countPrepared(db: Db, seconds: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: "count-prepared",
    text: `select coalesce(sum(result::integer) filter (where success), 0)::integer as count
           from run_command_on_workers(format(
             'select count(*) from pg_prepared_xacts
              where database = current_database() and prepared < now() - make_interval(secs => %s)', $1::integer))`,
    values: [seconds],
  });
  return rows[0]?.count ?? 0;
}
