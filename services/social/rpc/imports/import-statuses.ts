import { create } from "@bufbuild/protobuf";
import {
  type ImportedStatus,
  ImportOutcome,
  type ImportStatusesRequest,
  ImportStatusesRequestSchema,
  ImportStatusesResponseSchema,
} from "../../../../proto/gen/social/v1/import_service_pb.ts";
import { checkImportBatch } from "../../../platform/rules/import-batch.ts";
import type { SocialContext } from "../../context.ts";
import { type JobKey, parseImportJob } from "../../domain/import-job.ts";
import { parseImportedStatus, type StatusToImport } from "../../domain/imported-status.ts";
import { onlyFirst } from "../../domain/only-first.ts";
import { originKey, planImport } from "../../domain/plan-import.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { finishRemoval } from "../statuses/remove-statuses.ts";
import { write } from "../write.ts";
import { authorsOf, type ImportBatch, lookUpImport, lookUpUsers } from "./look-up-import.ts";
import { storeImport } from "./store-import.ts";

/**
 * Stores imported statuses in one transaction. A bad one is refused, and the others are stored. With validate_only nothing is
 * stored, and the answer tells what would be done with each.
 */
export async function importStatuses(ctx: SocialContext, request: ImportStatusesRequest) {
  const { origin, authorOriginId } = request;
  checkImportBatch(ImportStatusesRequestSchema, request);
  const job = request.job && parseImportJob(request.job);
  const parsed = onlyFirst(
    request.statuses.map((status) => parseForJob(status, job)),
    originKey,
  );
  // The messages take three times the memory of what was read from them, and would stay in memory until the database has answered.
  request.statuses = [];
  const readable = parsed.filter((status) => typeof status === "object");
  const batch = { origin, job, authorOriginId };
  const outcomes = await (request.validateOnly ? planOnly : store)(ctx, batch, readable);

  const results = parsed.map((status) => {
    if (typeof status === "string") return { outcome: ImportOutcome.REFUSED, refusal: status };
    const outcome = outcomes.get(status);
    if (outcome === undefined) return { outcome: ImportOutcome.REFUSED, refusal: "its author has no profile here" };
    return { outcome: outcomeCodes[outcome] };
  });
  return create(ImportStatusesResponseSchema, { results });
}

/** First finishes interrupted deletions of statuses that are imported again, as when an import is undone and repeated. */
async function store(ctx: SocialContext, batch: ImportBatch, statuses: readonly StatusToImport[]) {
  let attempts = 0;
  for (;;) {
    const { outcomes, unfinished } = await write(ctx, authorsOf(statuses), (db) =>
      storeImport(db, batch, statuses, attempts++ === 0),
    );
    if (unfinished.size === 0) return outcomes;
    for (const authorId of unfinished) await finishRemoval(ctx, authorId);
  }
}

/** What `store` would do with the current contents of the database. Locks and changes nothing. */
async function planOnly(ctx: SocialContext, batch: ImportBatch, all: readonly StatusToImport[]) {
  const profiles = await listProfiles(ctx.pool, authorsOf(all), []);
  const authors = new Set(profiles.map((row) => row.user_id));
  const statuses = all.filter((status) => authors.has(status.authorId));
  const users = await lookUpUsers(ctx.pool, batch, statuses);
  const lookUp = await lookUpImport(ctx.pool, batch, users, statuses, statuses);
  // The plan needs an id for each new status; none of them is stored.
  const ids = new Map(statuses.map((status) => [originKey(status), 0n]));
  return planImport(statuses, lookUp, ids, batch.job?.id).outcomes;
}

const outcomeCodes = {
  added: ImportOutcome.ADDED,
  updated: ImportOutcome.UPDATED,
  unchanged: ImportOutcome.UNCHANGED,
  "original unknown": ImportOutcome.ORIGINAL_UNKNOWN,
};

function parseForJob(status: ImportedStatus, job: JobKey | undefined): StatusToImport | string {
  if (job !== undefined && status.authorId !== job.authorId) return "its author is not the one of the job";
  return parseImportedStatus(status);
}
