import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importArchive } from "../../cli/as-user/import-archive.ts";
import { type Job, undoJob } from "../../cli/as-user/job.ts";
import type { ImportClients } from "../../cli/import/services.ts";
import type { Reporter } from "../../cli/reporter.ts";
import type { Row } from "../results/row.ts";
import { statusFigures } from "../status-figures.ts";
import type { BenchSystem } from "../system/start-system.ts";
import { writeXArchive } from "./write-x-archive.ts";

/**
 * How fast one user's archive of this many statuses is imported into an empty system, including the opening of the file; then
 * again, and undone.
 */
export async function measureArchive(
  clients: ImportClients,
  report: Reporter,
  system: BenchSystem,
  home: string,
  statuses: number,
): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), "roost-bench-"));
  try {
    const path = join(directory, "archive.zip");
    await writeXArchive(path, { tweets: statuses });
    const screenName = "archivist";
    const { userId } = await clients.account.registration({ userName: screenName, password: "correct horse" });
    let job: Job | undefined;
    const started = (begun: Job) => (job = begun);
    const bring = async () => {
      const summary = await importArchive(clients, path, { userId, screenName, dryRun: false, started }, report);
      if (summary.statuses.refused > 0) throw new Error(`${summary.statuses.refused} refused`);
    };
    const undo = () => undoJob(clients, job as Job, report);
    const rate = (work: () => Promise<unknown>) => statusFigures(system, home, statuses, "tool", work);
    return [
      { name: "archive", title: "archive of one user, statuses added", figures: await rate(bring) },
      { name: "archive again", title: "the same again, statuses unchanged", figures: await rate(bring) },
      { name: "archive undone", title: "the same undone, statuses removed", figures: await rate(undo) },
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
