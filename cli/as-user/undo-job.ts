import { callOnce } from "../import/call.ts";
import type { ImportClients } from "../import/context.ts";
import type { ImportReporter } from "../import/reporter.ts";
import type { Job } from "./job.ts";

/**
 * Takes back what a job added; answers how many statuses those were. It may be killed and run again.
 * @throws ImportStopped when the service cannot be reached.
 */
export async function undoJob(clients: ImportClients, job: Job, report: ImportReporter): Promise<number> {
  const key = { authorId: job.authorId, id: new Uint8Array(job.id) };
  const { statuses: all } = await callOnce("CountImported", () => clients.imports.countImported({ job: key }));
  for (let removed = 0; ; ) {
    const answer = await callOnce("UndoImport", () => clients.imports.undoImport({ job: key }));
    removed += Number(answer.removed);
    report.progress({ phase: "undoing", done: removed, share: Math.min(1, removed / Math.max(1, Number(all))) });
    if (answer.complete) return removed;
  }
}

/** How many statuses of a job stand. */
export async function countJob(clients: ImportClients, job: Job): Promise<number> {
  const key = { authorId: job.authorId, id: new Uint8Array(job.id) };
  const { statuses } = await callOnce("CountImported", () => clients.imports.countImported({ job: key }));
  return Number(statuses);
}
