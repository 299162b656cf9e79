import { toBinary } from "@bufbuild/protobuf";
import { type ImportedStatus, ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { type ArchiveItem, type LeftOut, reasonsToLeaveOut, type UserArchive } from "../archive/user-archive.ts";
import { openUserArchive } from "../archive/what-is.ts";
import { maxBatchBytes } from "../import/batches.ts";
import { EditChains } from "../import/collection.ts";
import { type Counts, ImportResults, type ImportSummary, withoutOriginal } from "../import/results.ts";
import { type SpooledStatus, sendSpooled } from "../import/send-spooled.ts";
import type { ImportClients } from "../import/services.ts";
import { StatusSpool } from "../import/status-spool.ts";
import type { Reporter } from "../reporter.ts";
import { type Job, jobOf } from "./job.ts";
import { StatusIndex } from "./status-index.ts";

/** The result of importing an archive. */
export interface ArchiveSummary extends Pick<ImportSummary, "defaulted"> {
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
    // A reply to another status of the archive has the same author, whether it says so or not.
    const complete = (reply: ImportedStatus) => {
      if (reply.status === undefined || !index.has(reply.inReplyToStatusOriginId)) return;
      reply.inReplyToUserOriginId = ownerId;
      reply.status.inReplyToScreenName = screenName;
    };
    await sendSpooled(ctx, ownStatuses(archive, index, { authorId: userId, complete }), index.size, request);
    const { statuses, leftOut: elsewhere, defaulted } = results.summary();
    leftOut.boosts += elsewhere[withoutOriginal] ?? 0;
    return { statuses, leftOut, defaulted };
  } finally {
    spool.close();
    archive.close();
  }
}

/** The oldest first, so that replies find their targets. */
function* ownStatuses(
  { name }: UserArchive,
  index: StatusIndex,
  same: Pick<SpooledStatus, "authorId" | "complete">,
): Generator<SpooledStatus> {
  const place = (originId: string) => `${name}: ${originId}`;
  for (const slot of index.sorted()) yield { ...same, slot, place };
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
  const edits = new EditChains();
  // By which replies in the archive name their author; an archive that does not say it has none that need another one.
  let ownerId = "owner";
  let done = 0;
  const collect = (item: ArchiveItem) => {
    if (item.kind === "owner") ownerId = item.originId || ownerId;
    else if (item.kind === "left out") leftOut[item.why] += item.count;
    else if (item.kind === "refused") refuse(item.place, item.reason);
    else {
      const message = toBinary(ImportedStatusSchema, item.status);
      const { originId } = item.status;
      edits.add(item.versions);
      results.noteDefaulted(item.defaulted);
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
  const earlier = edits.earlier((id) => index.has(id));
  for (const id of earlier) index.drop(id);
  leftOut["earlier versions"] += earlier.length;
  return { index, ownerId, leftOut };
}
