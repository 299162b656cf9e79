import { shareCalls } from "../../../platform/batch-calls.ts";
import type { Db } from "../../../platform/postgres/pool.ts";

/**
 * The id before which no new status can appear in a statement that begins later. A status gets its id inside its transaction, by the
 * clock of the database, so what can still appear is younger than the oldest transaction that runs now. What ended before this
 * is visible to later statements.
 *
 * All social processes sign in as one role, whose transactions this role may see. One that has written nothing for a minute, such as a
 * backup, is taken as one that publishes nothing.
 */
export async function findWater(db: Db, isCluster: boolean): Promise<bigint> {
  const { rows } = await db.query<{ water: bigint }>(isCluster ? ofCluster : ofServer);
  return (rows[0] as { water: bigint }).water;
}

/**
 * findWater for callers who share one that runs already. It may have begun before they ask, so that what they get is lower than their
 * own would be: right as well, since nothing new appears below it.
 */
export function createSharedWater(db: Db, isCluster: () => Promise<boolean>): () => Promise<bigint> {
  return shareCalls(async () => findWater(db, await isCluster()));
}

/** The smallest id of the moment (design §4). */
function selectWater(margin: string, oldestPrepared: string): string {
  return `select floor(extract(epoch from least(statement_timestamp(), min(xact_start), ${oldestPrepared})
             - interval '${margin}' - timestamptz '2006-01-01 00:00:00+00') * 1000)::bigint << 12 as water
          from pg_stat_activity
          where datname = current_database() and usename = current_user
            and (backend_xid is not null or xact_start > statement_timestamp() - interval '1 minute')`;
}

const ofServer = { name: "find-water", text: selectWater("0 s", "null") };

/**
 * Ids come from the clocks of several servers. A transaction that lost its coordinator while it was committed stays prepared on a
 * worker. It is found there after a few seconds, for which the margin is large enough.
 */
const ofCluster = {
  name: "find-water-of-cluster",
  text: selectWater(
    "30 s",
    `(select min(result::timestamptz) from run_command_on_workers(
        'select min(prepared) from pg_prepared_xacts
         where database = current_database() and prepared < now() - interval ''5 s''')
      where success and result <> '')`,
  ),
};
