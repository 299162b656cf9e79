import type { OwnArchive } from "../archive/found.ts";
import { openOwnArchive } from "../archive/open-own-archive.ts";
import type { ImportClients } from "../import/context.ts";
import { createLedger } from "../import/ledger.ts";
import type { ImportReporter } from "../import/reporter.ts";
import { StatusSpool } from "../import/status-spool.ts";
import type { Tally } from "../import/tally.ts";
import { collectOwn, type OwnCollection } from "./collect-own.ts";
import { type Job, jobOf } from "./job.ts";
import { sendOwn } from "./send-own.ts";

/** What became of an archive. */
export interface ArchiveSummary {
  statuses: Tally;
  leftOut: OwnCollection["leftOut"];
}

export interface ArchiveImport {
  /** The account that everything goes to. */
  userId: bigint;
  screenName: string;
  /** Whether to ask what would happen instead of letting it happen. */
  dryRun: boolean;
  /** Hears the job's name, and how many statuses of it stand, before anything is read. */
  started?(job: Job, standing: bigint): void;
}

/**
 * Imports somebody's archive into one account. It is read to its end before the first call: a broken one changes nothing.
 * Every call may be repeated and every batch is all or nothing, so that after a kill the same import goes on.
 * @throws ArchiveFault, UnreadableFiles or ImportStopped.
 */
export async function importArchive(
  clients: ImportClients,
  path: string,
  { userId, screenName, dryRun, started }: ArchiveImport,
  report: ImportReporter,
): Promise<ArchiveSummary> {
  const archive = await openOwnArchive(path);
  const spool = new StatusSpool();
  try {
    const job = await jobOf(path, userId);
    const { statuses: standing } = await clients.imports.countImported({ job: { ...job, id: new Uint8Array(job.id) } });
    started?.(job, standing);
    return await takeOver(clients, archive, { job, screenName, dryRun }, report, spool);
  } finally {
    spool.close();
    archive.close();
  }
}

async function takeOver(
  clients: ImportClients,
  archive: OwnArchive,
  { job, screenName, dryRun }: { job: Job; screenName: string; dryRun: boolean },
  report: ImportReporter,
  spool: StatusSpool,
): Promise<ArchiveSummary> {
  const ledger = createLedger(report);
  const collection = await collectOwn(archive, screenName, { ledger, report, spool });
  const ctx = { clients, ledger, report, spool, origin: archive.origin };
  await sendOwn(ctx, archive.name, collection, job, dryRun);
  return { statuses: ledger.summary().statuses, leftOut: collection.leftOut };
}
