import { create } from "@bufbuild/protobuf";
import {
  type CountImportedRequest,
  CountImportedResponseSchema,
  type ImportedStatus,
  ImportOutcome,
  type ImportProfilesRequest,
  ImportProfilesRequestSchema,
  ImportProfilesResponseSchema,
  type ImportStatusesRequest,
  ImportStatusesRequestSchema,
  ImportStatusesResponseSchema,
  type UndoImportRequest,
  UndoImportResponseSchema,
} from "../../../proto/gen/social/v1/import_service_pb.ts";
import { checkImportBatch } from "../../platform/max-entries.ts";
import { nameKey } from "../../platform/rules/screen-name.ts";
import type { SocialContext } from "../context.ts";
import { type JobKey, parseImportJob } from "../domain/import-job.ts";
import { type ProfileToImport, parseImportedProfile } from "../domain/imported-profile.ts";
import { parseImportedStatus, type StatusToImport } from "../domain/imported-status.ts";
import { originKey } from "../domain/plan-import.ts";
import { namePrefixes } from "../domain/user-query.ts";
import { countImportedRows, listImported } from "../store/imports/imported-statuses.ts";
import { upsertImportedProfiles } from "../store/imports/upsert-imported-profiles.ts";
import { listNameHolders } from "../store/profiles/name-holders.ts";
import { restrictReposts } from "./mark-reposts.ts";
import { finishRemoval, removeStatuses } from "./remove-statuses.ts";
import { authorsOf, type ImportBatch, planOnly, storeImport } from "./store-import.ts";
import { write } from "./write.ts";

/** Stores imported profiles. A bad one is refused, and the others are stored. */
export async function importProfiles(ctx: SocialContext, request: ImportProfilesRequest) {
  checkImportBatch(ImportProfilesRequestSchema, request);
  const once = onlyFirst(request.profiles.map(parseImportedProfile), (profile) => profile.userId.toString());
  const parsed = onlyFirst(once, (profile) => nameKey(profile.screenName));
  const stored = new Map<bigint, { added: boolean }>();
  let waiting = parsed.filter((profile) => typeof profile === "object");
  while (waiting.length > 0) {
    const { rows, taken } = await storeFree(ctx, request.origin, waiting);
    for (const [userId, row] of rows) stored.set(userId, row);
    waiting = taken;
    // One rename may free the name that another one waits for.
    if (rows.size === 0) break;
  }

  const refused = new Set<ProfileToImport | string>(waiting);
  const results = parsed.map((profile) => {
    if (typeof profile === "string") return { outcome: ImportOutcome.REFUSED, refusal: profile };
    if (refused.has(profile)) return { outcome: ImportOutcome.REFUSED, refusal: nameTaken };
    const row = stored.get(profile.userId);
    const defaultedFields = profile.defaulted;
    if (row === undefined) return { outcome: ImportOutcome.UNCHANGED, defaultedFields };
    return { outcome: row.added ? ImportOutcome.ADDED : ImportOutcome.UPDATED, defaultedFields };
  });
  return create(ImportProfilesResponseSchema, { results });
}

/** Refuses every parsed item with the key of an earlier one: one statement cannot store a row twice. */
function onlyFirst<T extends object>(parsed: readonly (T | string)[], key: (item: T) => string): (T | string)[] {
  const seen = new Set<string>();
  return parsed.map((item) => {
    if (typeof item === "string") return item;
    if (seen.has(key(item))) return "it occurs twice in one batch";
    seen.add(key(item));
    return item;
  });
}

const nameTaken = "its screen name belongs to another user";

/**
 * Stores the profiles whose names are free here. The account service decides who has a name; until it reports a change, the name stays
 * with the user who has it.
 * @returns the changed rows, and the profiles whose names others have
 */
async function storeFree(ctx: SocialContext, origin: string, profiles: ProfileToImport[]) {
  const holders = await listNameHolders(
    ctx.pool,
    profiles.map((profile) => nameKey(profile.screenName)),
  );
  const isFree = ({ screenName, userId }: ProfileToImport) => (holders.get(nameKey(screenName)) ?? userId) === userId;
  const free = profiles.filter(isFree);
  const ids = free.map((profile) => profile.userId);
  const rows = await write(ctx, ids, (db) => upsertImportedProfiles(db, origin, free, namePrefixes));
  await restrictReposts(ctx, ids);
  return { rows, taken: profiles.filter((profile) => !isFree(profile)) };
}

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

function parseForJob(status: ImportedStatus, job: JobKey | undefined): StatusToImport | string {
  if (job !== undefined && status.authorId !== job.authorId) return "its author is not the one of the job";
  return parseImportedStatus(status);
}

/**
 * First finishes interrupted deletions of statuses that are imported again, as when an import is undone and repeated; at last deletes the
 * marks of statuses that became reposts.
 */
async function store(ctx: SocialContext, batch: ImportBatch, statuses: readonly StatusToImport[]) {
  for (;;) {
    const { outcomes, unfinished, converted } = await write(ctx, authorsOf(statuses), (db) =>
      storeImport(db, batch, statuses),
    );
    for (const authorId of [...unfinished, ...converted]) await finishRemoval(ctx, authorId);
    if (unfinished.size === 0) return outcomes;
  }
}

const outcomeCodes = {
  added: ImportOutcome.ADDED,
  updated: ImportOutcome.UPDATED,
  unchanged: ImportOutcome.UNCHANGED,
  "original unknown": ImportOutcome.ORIGINAL_UNKNOWN,
};

/** Counts the statuses of a job that exist. */
export async function countImported(ctx: SocialContext, request: CountImportedRequest) {
  return create(CountImportedResponseSchema, {
    statuses: await countImportedRows(ctx.pool, parseImportJob(request.job)),
  });
}

/**
 * Deletes a thousand statuses of a job with the marks and reposts of them. No more, so that no call locks the author's row for
 * long.
 */
export async function undoImport(ctx: SocialContext, request: UndoImportRequest) {
  const job = parseImportJob(request.job);
  const { removed, listed } = await write(ctx, [job.authorId], async (db) => {
    const ids = await listImported(db, job, maxRemoved);
    const gone = await removeStatuses(db, job.authorId, ids);
    return { removed: gone.length, listed: ids.length };
  });
  await finishRemoval(ctx, job.authorId);
  return create(UndoImportResponseSchema, { removed: BigInt(removed), complete: listed < maxRemoved });
}

const maxRemoved = 1_000;
