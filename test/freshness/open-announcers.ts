import { randomUUID } from "node:crypto";
import { announcersIn, type OwnAnnouncer } from "../../services/platform/freshness/announcers.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { startTestServices } from "../support/services.ts";

/** Milliseconds for which tokens live: longer than a test, which moves its clocks on. */
export const freshnessMs = 60_000;

/** The table in which the processes of the social service register. The only one at first is a social service without Redis. */
export async function openAnnouncers() {
  const services = await startTestServices({ FRESHNESS_MS: `${freshnessMs}` });
  const announcers = announcersIn("social", ["announces_viewers"]);
  const pool = createPool(services.database.social, "test-announcers", createLog("test", "silent"));
  const [service] = await announcers.list(pool);
  return {
    services,
    announcers,
    pool,
    /** The id of the social service. */
    serviceId: service?.id,
    /** Deletes all rows but that of the social service. */
    async forgetOthers() {
      await pool.query("delete from social.announcer where id <> $1", [service?.id]);
    },
    async stop() {
      await pool.end();
      await services.stop();
    },
  };
}

/** The row of another process. */
export function other(row: Partial<OwnAnnouncer>): OwnAnnouncer {
  return { id: randomUUID(), place: "here", keep_ms: freshnessMs, is_settled: true, ...row };
}
