import { fromBinary } from "@bufbuild/protobuf";
import { type ImportedStatus, ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { batchesOf } from "./batches.ts";
import { callBatch } from "./call.ts";
import { type CollectedStatus, type Collection, placeName } from "./collection.ts";
import type { ImportContext } from "./context.ts";
import type { Ledger } from "./ledger.ts";
import type { Author } from "./send-users.ts";
import type { StatusSpool } from "./status-spool.ts";
import { compareIds } from "./twitter/origin-id.ts";

/**
 * Sends every status whose author went in, in ascending order of the ids at the origin: replies find their targets.
 * Embedded statuses of authors who are described nowhere are left out and counted.
 */
export async function sendStatuses(
  ctx: ImportContext,
  collection: Collection,
  authors: Map<string, Author>,
): Promise<void> {
  let done = 0;
  ctx.ledger.leaveOut([...collection.authorless].filter((id) => !collection.statuses.has(id)).length);
  const attributed = attributedStatuses(ctx.ledger, collection, authors);
  for (const batch of batchesOf(attributed, ({ status }) => status.length + overhead)) {
    await importStatuses(ctx, batch);
    done += batch.length;
    ctx.report.progress({ phase: "statuses", done, share: done / collection.statuses.size });
  }
}

// The author's id, the length and the tags around a status.
const overhead = 32;

interface Attributed {
  status: CollectedStatus;
  /** The author's user id here. */
  authorId: bigint;
}

function* attributedStatuses(
  ledger: Ledger,
  { statuses, unreadable }: Collection,
  authors: Map<string, Author>,
): Generator<Attributed> {
  for (const id of [...statuses.keys()].sort(compareIds)) {
    const status = statuses.get(id) as CollectedStatus;
    const author = authors.get(status.author) ?? { refusal: unreadable.get(status.author) };
    if ("userId" in author) yield { status, authorId: author.userId };
    else if (status.embedded && author.refusal === undefined) ledger.leaveOut(1);
    else ledger.refuse("status", placeName(status.place), refusalOf(status.author, author.refusal));
  }
}

function refusalOf(author: string, refusal: string | undefined): string {
  if (refusal === undefined) return `its author ${author} is described nowhere`;
  return `its author ${author} was refused: ${refusal}`;
}

async function importStatuses(ctx: ImportContext, batch: Attributed[]): Promise<void> {
  const statuses = batch.map((item) => messageOf(ctx.spool, item));
  const call = () => ctx.clients.imports.importStatuses({ origin: ctx.origin, statuses });
  const results = await callBatch("ImportStatuses", batch.length, call, ctx.wait);
  for (const [index, result] of results.entries()) {
    ctx.ledger.record("status", placeName((batch[index] as Attributed).status.place), result);
  }
}

function messageOf(spool: StatusSpool, { status, authorId }: Attributed): ImportedStatus {
  const message = fromBinary(ImportedStatusSchema, spool.read(status));
  message.authorId = authorId;
  return message;
}
