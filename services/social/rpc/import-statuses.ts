import { create } from "@bufbuild/protobuf";
import {
  ImportOutcome,
  type ImportStatusesRequest,
  ImportStatusesResponseSchema,
} from "../../../proto/gen/social/v1/import_service_pb.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { freeIds } from "../domain/free-ids.ts";
import { checkBatch, onlyFirst } from "../domain/import-batch.ts";
import { parseImportedStatus, type StatusToImport } from "../domain/imported-status.ts";
import { importedTime } from "../domain/imported-time.ts";
import { originKey, planImport } from "../domain/plan-import.ts";
import {
  advanceAuthors,
  insertImported,
  listHeldStatuses,
  listUsedIds,
  listUsersOfOrigin,
  mintIds,
  updateImported,
} from "../store/imported-statuses.ts";
import { lockProfiles } from "../store/lock-profiles.ts";

/** Stores imported statuses in one transaction, each for itself: a bad one is refused and the rest go in. */
export async function importStatuses(ctx: SocialContext, request: ImportStatusesRequest) {
  checkBatch("statuses", request.origin, request.statuses);
  const parsed = onlyFirst(request.statuses.map(parseImportedStatus), originKey);
  const readable = parsed.filter((status) => typeof status === "object");
  const outcomes = await transaction(ctx.pool, (db) => storeStatuses(db, request.origin, readable));

  const results = parsed.map((status) => {
    if (typeof status === "string") return { outcome: ImportOutcome.REFUSED, refusal: status };
    const outcome = outcomes.get(status);
    if (outcome === undefined) return { outcome: ImportOutcome.REFUSED, refusal: "its author has no profile here" };
    return { outcome: outcomeCodes[outcome] };
  });
  return create(ImportStatusesResponseSchema, { results });
}

const outcomeCodes = {
  added: ImportOutcome.ADDED,
  updated: ImportOutcome.UPDATED,
  unchanged: ImportOutcome.UNCHANGED,
};

async function storeStatuses(db: Db, origin: string, all: readonly StatusToImport[]) {
  const authors = await lockProfiles(db, [...new Set(all.map((status) => status.authorId))]);
  const statuses = all.filter((status) => authors.has(status.authorId));
  const users = await listUsersOfOrigin(db, origin, [...new Set(statuses.flatMap(namedUsers))]);
  const held = await listHeldStatuses(db, origin, [...statuses, ...answeredStatuses(statuses, users)]);
  const ids = await newIds(
    db,
    origin,
    statuses.filter((status) => !held.has(originKey(status))),
  );
  const plan = planImport(statuses, held, ids, users);
  await insertImported(db, origin, plan.added);
  await updateImported(db, plan.updated);
  await advanceAuthors(db, plan.newest);
  return plan.outcomes;
}

/** The ids at the origin of everybody whom a status names. */
function namedUsers({ inReplyTo, entities }: StatusToImport): string[] {
  return [inReplyTo.userOriginId, ...entities.userMentions.map((mention) => mention.id)];
}

function answeredStatuses(statuses: readonly StatusToImport[], users: ReadonlyMap<string, bigint>) {
  return statuses.flatMap(({ inReplyTo }) => {
    const authorId = users.get(inReplyTo.userOriginId);
    return authorId === undefined ? [] : [{ authorId, originId: inReplyTo.statusOriginId }];
  });
}

/**
 * An id for each new status, from its original time. No author gets one twice: one that is taken moves on to the next
 * free number.
 */
async function newIds(db: Db, origin: string, statuses: readonly StatusToImport[]): Promise<Map<string, bigint>> {
  const times = statuses.map((status) => importedTime(origin, status.originId, status.createdAt));
  const minted = await mintIds(db, times);
  const wanted = statuses.map((status, index) => ({ ...status, first: minted[index] as bigint }));
  // Mostly nothing is taken. Where many statuses have one second, the look goes further until it sees free numbers.
  for (let span = wanted.length; ; span *= 8) {
    const used = await listUsedIds(db, wanted, span);
    const ids = freeIds(wanted, used);
    if (wanted.every((status) => (ids.get(originKey(status)) as bigint) <= status.first + BigInt(span))) return ids;
  }
}
