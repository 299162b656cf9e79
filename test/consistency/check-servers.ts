import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../services/local/postgres/start-postgres.ts";
import {
  type Cluster as CitusCluster,
  createClusterDatabase,
  killPostgres,
  restartPostgres,
} from "../support/citus.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabaseOn } from "../support/postgres.ts";
import { queryOnce, type TestDatabase } from "../support/test-database.ts";

/** The database servers of a check, which can be killed. */
export interface CheckServers {
  database: TestDatabase;
  kills(): number;
  /** Kills the coordinator, which may be the only server, or another worker each time, and restarts it within half a second. */
  restart(which: "coordinator" | "worker"): Promise<void>;
}

/** A database of the check's own, on a cluster that was started with ../shared/citus. */
export async function citusServers(cluster: CitusCluster): Promise<CheckServers> {
  const [coordinator = "", ...workers] = cluster.folders ?? [];
  if (workers.length === 0) throw new Error("only servers of ../shared/citus can be killed");
  // Transactions that were prepared when a server was killed lock their rows until Citus recovers them: by default in a minute.
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
      await eventually("the server is back", () => restartPostgres(folder), 120);
    },
  };
}

export async function postgresServer(): Promise<CheckServers> {
  const home = makeDataFolder("roost-check-");
  let postgres = await startPostgres({ home });
  const server = {
    url: (role: string, database: string) => postgres.url(role, database),
    async stop() {
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
  let kills = 0;
  return {
    database: await createDatabaseOn(server),
    kills: () => kills,
    async restart() {
      kills += 1;
      postgres.kill();
      await postgres.exited;
      await sleep(Math.random() * 500);
      postgres = await startPostgres({ home });
    },
  };
}
