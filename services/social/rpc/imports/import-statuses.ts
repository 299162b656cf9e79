import { create } from "@bufbuild/protobuf";
import {
  type ImportedStatus,
  ImportOutcome,
  type ImportStatusesRequest,
  ImportStatusesResponseSchema,
} from "../../../../proto/gen/social/v1/import_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { checkBatch, onlyFirst } from "../../domain/import-batch.ts";
import { type JobKey, parseImportJob } from "../../domain/import-job.ts";
import { parseImportedStatus, type StatusToImport } from "../../domain/imported-status.ts";
import { originKey } from "../../domain/plan-import.ts";
import { undoRemoved } from "../statuses/remove-statuses.ts";
import { write } from "../write.ts";
import { authorsOf, foreseeImport, type Intake, storeImport } from "./store-import.ts";

/**
 * Stores imported statuses in one transaction. A bad one is refused, and the others are stored. With validate_only nothing is
 * stored, and the answer tells what would be done with each.
 */
export async function importStatuses(ctx: SocialContext, request: ImportStatusesRequest) {
  const { origin, authorOriginId } = request;
  checkBatch("statuses", origin, request.statuses);
  const job = request.job && parseImportJob(request.job);
  const parsed = onlyFirst(
    request.statuses.map((status) => parseForJob(status, job)),
    originKey,
  );
  const readable = parsed.filter((status) => typeof status === "object");
  const intake = { origin, job, authorOriginId };
  const outcomes = request.validateOnly
    ? await foreseeImport(ctx.pool, intake, readable)
    : await store(ctx, intake, readable);

  const results = parsed.map((status) => {
    if (typeof status === "string") return { outcome: ImportOutcome.REFUSED, refusal: status };
    const outcome = outcomes.get(status);
    if (outcome === undefined) return { outcome: ImportOutcome.REFUSED, refusal: "its author has no profile here" };
    return { outcome: outcomeCodes[outcome] };
  });
  return create(ImportStatusesResponseSchema, { results });
}

/** First finishes interrupted deletions of statuses that are imported again, as when an import is undone and repeated. */
async function store(ctx: SocialContext, intake: Intake, statuses: readonly StatusToImport[]) {
  for (;;) {
    const { outcomes, unfinished } = await write(ctx, authorsOf(statuses), (write) =>
      storeImport(write, intake, statuses),
    );
    if (unfinished.size === 0) return outcomes;
    for (const authorId of unfinished) await undoRemoved(ctx, authorId);
  }
}

const outcomeCodes = {
  added: ImportOutcome.ADDED,
  updated: ImportOutcome.UPDATED,
  unchanged: ImportOutcome.UNCHANGED,
};

function parseForJob(status: ImportedStatus, job: JobKey | undefined): StatusToImport | string {
  if (job !== undefined && status.authorId !== job.authorId) return "its author is not the one of the job";
  return parseImportedStatus(status);
}
