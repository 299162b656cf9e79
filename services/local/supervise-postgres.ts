import { setTimeout as sleep } from "node:timers/promises";
import { type Postgres, startPostgres } from "./postgres/start-postgres.ts";

/** A Postgres that is started again whenever it ends by itself. */
export interface SupervisedPostgres extends Pick<Postgres, "url" | "stop"> {
  /** The postmaster's process id; of the last one while none runs. */
  pid(): number;
}

/** Starts such a Postgres; its address stays the same. */
export async function supervisePostgres(home: string, say: (line: string) => void): Promise<SupervisedPostgres> {
  let stopping = false;
  let postgres = await startPostgres({ home, log: say });
  const supervised = supervise();

  async function supervise(): Promise<void> {
    for (;;) {
      const { code, signal } = await postgres.exited;
      if (stopping) return;
      say(`Postgres ended (${signal ?? code}) and is started again`);
      postgres = await restart();
      if (stopping) return postgres.stop();
    }
  }

  async function restart(): Promise<Postgres> {
    for (;;) {
      try {
        return await startPostgres({ home, log: say });
      } catch (error) {
        if (stopping) return postgres;
        say(`${error instanceof Error ? error.message : error}`);
        await sleep(1_000);
      }
    }
  }

  return {
    url: (role, database) => postgres.url(role, database),
    pid: () => postgres.pid,
    async stop() {
      stopping = true;
      await postgres.stop();
      await supervised;
    },
  };
}
