import type { ImportClients } from "../import/services.ts";
import type { Reporter } from "../reporter.ts";
import { type Job, jobKey } from "./job.ts";

/**
 * Removes what a job added; returns how many statuses those were. It may be killed and run again.
 * @throws UserError when the service cannot be reached.
 */
export async function undoJob({ imports }: ImportClients, job: Job, report: Reporter): Promise<number> {
  const key = { job: jobKey(job) };
  const { statuses: all } = await imports.countImported(key);
  for (let removed = 0; ; ) {
    report.progress({ phase: "undoing", done: removed, share: Math.min(1, removed / Math.max(1, Number(all))) });
    const answer = await imports.undoImport(key);
    removed += Number(answer.removed);
    if (answer.complete) return removed;
  }
}
