import { fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ImportedStatus,
  ImportedStatusSchema,
  type ImportResult,
  type ImportStatusesRequestSchema,
} from "../../proto/gen/social/v1/import_service_pb.ts";
import { callBatch } from "../call.ts";
import { batchesOf } from "./batches.ts";
import type { ImportContext } from "./import-files.ts";
import type { Slot } from "./status-spool.ts";

/** A status in the spool, ready to be sent. */
export interface SpooledStatus {
  slot: Slot;
  /** The author's user id here. */
  authorId: bigint;
  /** Its name in reports. */
  place(originId: string): string;
}

/**
 * Sends statuses batch by batch, in their order. A batch is sent while the one before is under way, unless it depends on it.
 * @param total about how many there are, for the progress.
 * @param request the other fields of every request.
 */
export async function sendSpooled(
  ctx: ImportContext,
  spooled: Iterable<SpooledStatus>,
  total: number,
  request: MessageInitShape<typeof ImportStatusesRequestSchema> = {},
): Promise<void> {
  let done = 0;
  const progress = () => ctx.report.progress({ phase: "statuses", done, share: Math.min(1, done / total) });
  const finish = async ({ batch, statuses, results }: SentBatch) => {
    for (const [index, result] of (await results).entries()) {
      const { originId = "" } = statuses[index] ?? {};
      ctx.results.record("status", (batch[index] as SpooledStatus).place(originId), result);
    }
    done += batch.length;
    progress();
  };
  let last: SentBatch | undefined;
  try {
    for (const batch of batchesOf(spooled, ({ slot }) => slot.length + overhead)) {
      if (last === undefined) progress();
      const statuses = batch.map((status) => readStatus(ctx, status));
      const earlier: SentBatch | undefined = last;
      if (earlier && dependsOn(statuses, earlier.statuses)) await earlier.results;
      const call = () => ctx.clients.imports.importStatuses({ origin: ctx.origin, statuses, ...request });
      const results = callBatch("ImportStatuses", batch.length, call, ctx.wait);
      // It may fail while the one before is awaited.
      results.catch(() => {});
      last = { batch, statuses, results };
      if (earlier) await finish(earlier);
    }
    if (last) await finish(last);
  } finally {
    // It is still under way when the one before has failed.
    await last?.results.catch(() => {});
  }
}

/** A batch that was sent, and its answer to come. */
interface SentBatch {
  batch: readonly SpooledStatus[];
  statuses: readonly ImportedStatus[];
  results: Promise<ImportResult[]>;
}

function readStatus(ctx: ImportContext, { slot, authorId }: SpooledStatus): ImportedStatus {
  return Object.assign(fromBinary(ImportedStatusSchema, ctx.spool.read(slot)), { authorId });
}

// The author's id, the length and the tags around a status.
const overhead = 32;

/**
 * Whether a batch may be stored otherwise when an earlier one comes after it: it answers one of its statuses, or has one of the same
 * author and second, of which the first one takes the id of that time.
 */
function dependsOn(batch: readonly ImportedStatus[], earlier: readonly ImportedStatus[]): boolean {
  const timeOf = ({ authorId, status }: ImportedStatus) => `${authorId} ${status?.createdAt}`;
  const ids = new Set(earlier.map(({ originId }) => originId));
  const times = new Set(earlier.map(timeOf));
  return batch.some((status) => ids.has(status.inReplyToStatusOriginId) || times.has(timeOf(status)));
}
