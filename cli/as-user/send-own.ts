import { fromBinary } from "@bufbuild/protobuf";
import { type ImportedStatus, ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { batchesOf } from "../import/batches.ts";
import { callBatch } from "../import/call.ts";
import type { ImportContext } from "../import/context.ts";
import type { Slot } from "../import/status-spool.ts";
import type { OwnCollection } from "./collect-own.ts";
import type { Job } from "./job.ts";

/** Sends every status of an archive under its job, the oldest first: replies find their targets. */
export async function sendOwn(
  ctx: ImportContext,
  name: string,
  { index, ownerId }: OwnCollection,
  job: Job,
  validateOnly: boolean,
): Promise<void> {
  let done = 0;
  for (const batch of batchesOf(index.sorted(), ({ length }) => length + overhead)) {
    const statuses = batch.map((slot) => messageAt(ctx, slot, job));
    const call = () =>
      ctx.clients.imports.importStatuses({
        origin: ctx.origin,
        statuses,
        job: { authorId: job.authorId, id: new Uint8Array(job.id) },
        authorOriginId: ownerId,
        validateOnly,
      });
    const results = await callBatch("ImportStatuses", batch.length, call, ctx.wait);
    for (const [at, result] of results.entries()) {
      ctx.ledger.record("status", `${name}: ${statuses[at]?.originId}`, result);
    }
    done += batch.length;
    ctx.report.progress({ phase: "statuses", done, share: Math.min(1, done / index.size) });
  }
}

// The author's id, the length and the tags around a status.
const overhead = 32;

function messageAt(ctx: ImportContext, slot: Slot, job: Job): ImportedStatus {
  const message = fromBinary(ImportedStatusSchema, ctx.spool.read(slot));
  message.authorId = job.authorId;
  return message;
}
