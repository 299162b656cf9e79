import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importArchive } from "../../cli/as-user/import-archive.ts";
import type { Job } from "../../cli/as-user/job.ts";
import { undoJob } from "../../cli/as-user/undo-job.ts";
import { connectServices } from "../../cli/import/services.ts";
import type { Measurement } from "../measurement.ts";
import { writeXArchive } from "./write-x-archive.ts";

const statuses = 100_000;

/**
 * How fast one user's archive of 100,000 statuses is imported into an empty system, including the opening of the file; then
 * again, and undone.
 */
export async function measureArchive(config: Parameters<typeof connectServices>[0]): Promise<Measurement[]> {
  const services = connectServices(config);
  const directory = mkdtempSync(join(tmpdir(), "roost-bench-"));
  try {
    const path = join(directory, "archive.zip");
    await writeXArchive(path, { tweets: statuses });
    const screenName = "archivist";
    const { userId } = await services.clients.account.registration({ userName: screenName, password: "correct horse" });
    let job: Job | undefined;
    const started = (begun: Job) => (job = begun);
    const bring = async () => {
      const summary = await importArchive(
        services.clients,
        path,
        { userId, screenName, dryRun: false, started },
        silent,
      );
      if (summary.statuses.refused > 0) throw new Error(`${summary.statuses.refused} refused`);
    };
    return [
      { name: "archive of one user, statuses added", value: await rate(bring) },
      { name: "the same again, statuses unchanged", value: await rate(bring) },
      {
        name: "the same undone, statuses removed",
        value: await rate(() => undoJob(services.clients, job as Job, silent)),
      },
    ];
  } finally {
    services.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function rate(work: () => Promise<unknown>): Promise<string> {
  const start = performance.now();
  await work();
  return `${Math.round((statuses * 1_000) / (performance.now() - start))} /s`;
}

const silent = { refused: (place: string, reason: string) => console.error(place, reason), progress: () => {} };
