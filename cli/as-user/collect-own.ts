import { toBinary } from "@bufbuild/protobuf";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { type LeftOut, type OwnArchive, reasonsToLeaveOut } from "../archive/found.ts";
import { maxBatchBytes } from "../import/batches.ts";
import type { Ledger } from "../import/ledger.ts";
import type { ImportReporter } from "../import/reporter.ts";
import type { StatusSpool } from "../import/status-spool.ts";
import { StatusIndex } from "./status-index.ts";

/** What an archive holds for its owner, read to its end. */
export interface OwnCollection {
  /** The owner's id at the origin; "" when the archive does not say. */
  ownerId: string;
  index: StatusIndex;
  leftOut: Record<LeftOut, number>;
}

/**
 * Reads an archive into the spool. What is broken in it is entered in the ledger and left out.
 * @throws ArchiveFault when the archive itself is broken.
 */
export async function collectOwn(
  archive: OwnArchive,
  screenName: string,
  { ledger, report, spool }: { ledger: Ledger; report: ImportReporter; spool: StatusSpool },
): Promise<OwnCollection> {
  const none = Object.fromEntries(reasonsToLeaveOut.map((why) => [why, 0])) as OwnCollection["leftOut"];
  const collection: OwnCollection = { ownerId: "", index: new StatusIndex(), leftOut: none };
  const refuse = (place: string, reason: string) => ledger.refuse("status", `${archive.name}: ${place}`, reason);
  let done = 0;
  for await (const found of archive.read(screenName)) {
    if (found.kind === "owner") collection.ownerId = found.originId;
    else if (found.kind === "left out") collection.leftOut[found.why] += found.count;
    else if (found.kind === "refused") refuse(found.place, found.reason);
    else {
      const message = toBinary(ImportedStatusSchema, found.status);
      const { originId } = found.status;
      // The services read no larger message, and one such status must not fail the rest of its batch.
      if (message.length > maxBatchBytes) refuse(originId, `it is larger than ${maxBatchBytes} bytes`);
      else collection.index.add(found.order, originId, spool.add(message));
    }
    report.progress({ phase: "reading", done: ++done, share: undefined });
  }
  return collection;
}
