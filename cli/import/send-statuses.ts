import { fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ImportedStatusSchema, type ImportStatusesRequestSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { callBatch } from "../call.ts";
import { batchesOf } from "./batches.ts";
import { type CollectedStatus, type Collection, placeName } from "./collection.ts";
import type { ImportContext } from "./import-files.ts";
import type { ImportResults } from "./results.ts";
import type { Author } from "./send-users.ts";
import type { Slot } from "./status-spool.ts";
import { compareIds } from "./twitter/origin-id.ts";

/**
 * Sends every status whose author was imported, in ascending order of the ids at the origin, so that replies find their targets.
 * Embedded statuses of authors who are in no file are left out and counted.
 */
export async function sendStatuses(
  ctx: ImportContext,
  collection: Collection,
  authors: Map<string, Author>,
): Promise<void> {
  ctx.results.leftOut += [...collection.authorless].filter((id) => !collection.statuses.has(id)).length;
  await sendSpooled(ctx, attributedStatuses(ctx.results, collection, authors), collection.statuses.size);
}

/** A status in the spool, ready to be sent. */
export interface SpooledStatus {
  slot: Slot;
  /** The author's user id here. */
  authorId: bigint;
  /** Its name in reports. */
  place(originId: string): string;
}

/**
 * Sends statuses batch by batch, in their order.
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
  for (const batch of batchesOf(spooled, ({ slot }) => slot.length + overhead)) {
    if (done === 0) progress();
    const statuses = batch.map(({ slot, authorId }) =>
      Object.assign(fromBinary(ImportedStatusSchema, ctx.spool.read(slot)), { authorId }),
    );
    const call = () => ctx.clients.imports.importStatuses({ origin: ctx.origin, statuses, ...request });
    const results = await callBatch("ImportStatuses", batch.length, call, ctx.wait);
    for (const [index, { place }] of batch.entries()) {
      const { originId = "" } = statuses[index] ?? {};
      ctx.results.record("status", place(originId), results[index] as (typeof results)[number]);
    }
    done += batch.length;
    progress();
  }
}

// Bytes of the author's id, the length and the tags around a status.
const overhead = 32;

function* attributedStatuses(
  results: ImportResults,
  { statuses, unreadable }: Collection,
  authors: Map<string, Author>,
): Generator<SpooledStatus> {
  for (const id of [...statuses.keys()].sort(compareIds)) {
    const status = statuses.get(id) as CollectedStatus;
    const author = authors.get(status.author) ?? { refusal: unreadable.get(status.author) };
    const place = () => placeName(status.place);
    if ("userId" in author) yield { slot: status, authorId: author.userId, place };
    else if (status.embedded && author.refusal === undefined) results.leftOut++;
    else results.refuse("status", place(), refusalOf(status.author, author.refusal));
  }
}

function refusalOf(author: string, refusal: string | undefined): string {
  if (refusal === undefined) return `its author ${author} is in no file`;
  return `its author ${author} was refused: ${refusal}`;
}
