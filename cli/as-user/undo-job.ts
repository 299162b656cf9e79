import type { ImportClients } from "../import/services.ts";
import type { Reporter } from "../reporter.ts";
import type { Job } from "./job.ts";

/**
 * Removes what a job added; returns how many statuses those were. It may be killed and run again.
 * @throws UserError when the service cannot be reached.
 */
export async function undoJob({ imports }: ImportClients, job: Job, report: Reporter): Promise<number> {
  const { statuses: all } = await imports.countImported({ job });
  let removed = 0;
  for (let complete = false; !complete; ) {
    report.progress({ phase: "undoing", done: removed, share: Math.min(1, removed / Math.max(1, Number(all))) });
    const answer = await imports.undoImport({ job });
    removed += Number(answer.removed);
    complete = answer.complete;
  }
  // A call whose answer was lost is repeated, and its answer then lacks what the first one removed.
  return Number(all - (await imports.countImported({ job })).statuses);
}
