import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster as CitusCluster, createClusterDatabase } from "../support/citus.ts";
import { eventually } from "../support/eventually.ts";
import { killPostgres, startPostgres } from "../support/killed-postgres.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { queryOnce } from "../support/query-once.ts";

/** The servers of a check whose database lies on a Citus cluster: they may be killed. */
export interface CheckServers {
  database: TestDatabase;
  /** How many were killed until now. */
  kills(): number;
  /** Ends the coordinator, or one of the workers, each time another, as a crash would; it is back a moment later. */
  restart(which: "coordinator" | "worker"): Promise<void>;
}

/** A database of a check's own, spread over a cluster that the lab has started. */
export async function citusServers(cluster: CitusCluster): Promise<CheckServers> {
  const [coordinator = "", ...workers] = cluster.folders ?? [];
  if (workers.length === 0) throw new Error("only servers of ../shared/citus can be killed");
  // What was prepared when a server was lost holds its rows until Citus's maintenance comes: in a minute, by itself.
  await queryOnce(cluster.url, "alter system set citus.recover_2pc_interval = '1s'");
  await queryOnce(cluster.url, "select pg_reload_conf()");
  let kills = 0;
  return {
    database: await createClusterDatabase(cluster),
    kills: () => kills,
    async restart(which) {
      const folder = which === "coordinator" ? coordinator : (workers[kills % workers.length] as string);
      kills += 1;
      killPostgres(folder);
      await sleep(Math.random() * 500);
      await eventually("the server is back", () => startPostgres(folder), 120);
    },
  };
}
