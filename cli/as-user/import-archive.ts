import { toBinary } from "@bufbuild/protobuf";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { openUserArchive } from "../archive/open-user-archive.ts";
import { type ArchiveItem, type LeftOut, reasonsToLeaveOut, type UserArchive } from "../archive/user-archive.ts";
import { maxBatchBytes } from "../import/batches.ts";
import { type Counts, ImportResults } from "../import/results.ts";
import { sendSpooled } from "../import/send-spooled.ts";
import type { ImportClients } from "../import/services.ts";
import { StatusSpool } from "../import/status-spool.ts";
import type { Reporter } from "../reporter.ts";
import { type Job, jobOf } from "./job.ts";
import { StatusIndex } from "./status-index.ts";

/** The result of importing an archive. */
export interface ArchiveSummary {
  statuses: Counts;
  leftOut: Record<LeftOut, number>;
}

export interface ArchiveImport {
  /** The account that receives the statuses. */
  userId: bigint;
  screenName: string;
  /** Whether the services only say what would change. */
  dryRun: boolean;
  /** Called with the job, and how many statuses it has already, before anything is read. */
  started(job: Job, existing: bigint): void;
}

/**
 * Imports one person's archive into one account. It is read to its end before the first call: a broken one changes
 * nothing. Every call may be repeated and every batch is all or nothing, so after an interruption the same import continues.
 * @throws UserError
 */
export async function importArchive(
  clients: ImportClients,
  path: string,
  { userId, screenName, dryRun, started }: ArchiveImport,
  report: Reporter,
): Promise<ArchiveSummary> {
  const archive = await openUserArchive(path);
  const spool = new StatusSpool();
  try {
    const job = await jobOf(path, userId);
    const { statuses: existing } = await clients.imports.countImported({ job });
    started(job, existing);
    const results = new ImportResults(report);
    const { index, ownerId, leftOut } = await collectArchive(archive, screenName, { results, report, spool });
    const ctx = { clients, results, report, spool, origin: archive.origin };
    const request = { job, authorOriginId: ownerId, validateOnly: dryRun };
    await sendSpooled(ctx, ownStatuses(archive, index, userId), index.size, request);
    return { statuses: results.summary().statuses, leftOut };
  } finally {
    spool.close();
    archive.close();
  }
}

/** The oldest first, so that replies find their targets. */
function* ownStatuses({ name }: UserArchive, index: StatusIndex, authorId: bigint) {
  const place = (originId: string) => `${name}: ${originId}`;
  for (const slot of index.sorted()) yield { slot, authorId, place };
}

/** Reads an archive into the spool. Broken statuses are reported and left out. */
async function collectArchive(
  archive: UserArchive,
  screenName: string,
  { results, report, spool }: { results: ImportResults; report: Reporter; spool: StatusSpool },
) {
  const index = new StatusIndex();
  const leftOut = Object.fromEntries(reasonsToLeaveOut.map((why) => [why, 0])) as ArchiveSummary["leftOut"];
  const refuse = (place: string, reason: string) => results.refuse("status", `${archive.name}: ${place}`, reason);
  let ownerId = "";
  let done = 0;
  const collect = (item: ArchiveItem) => {
    if (item.kind === "owner") ownerId = item.originId;
    else if (item.kind === "left out") leftOut[item.why] += item.count;
    else if (item.kind === "refused") refuse(item.place, item.reason);
    else {
      const message = toBinary(ImportedStatusSchema, item.status);
      const { originId } = item.status;
      // One that is too large must not fail the rest of its batch.
      if (message.length > maxBatchBytes) refuse(originId, `it is larger than ${maxBatchBytes} bytes`);
      else index.add(item.order, originId, spool.add(message));
    }
  };
  for await (const items of archive.read(screenName)) {
    items.forEach(collect);
    done += items.length;
    report.progress({ phase: "reading", done, share: archive.progress() });
  }
  return { index, ownerId, leftOut };
}
