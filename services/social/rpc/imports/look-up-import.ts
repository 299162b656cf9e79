import type { Db } from "../../../platform/postgres/pool.ts";
import type { JobKey } from "../../domain/import-job.ts";
import type { StatusToImport } from "../../domain/imported-status.ts";
import { ownId } from "../../domain/own-id.ts";
import { originKey, type StoredStatus } from "../../domain/plan-import.ts";
import { listStoredById, listStoredStatuses, listUsersOfOrigin } from "../../store/imports/imported-statuses.ts";

/** The origin of statuses, and the job that imports them. */
export interface ImportBatch {
  origin: string;
  job: JobKey | undefined;
  /** The id at the origin by which the statuses of a job name their author; may be empty. */
  authorOriginId: string;
}

/**
 * Looks up which of these statuses, and of the users whom they name, are stored: users by their id at the origin, statuses by originKey.
 * @param old those of the statuses that may be stored
 */
export async function lookUpImport(
  db: Db,
  { origin, job, authorOriginId }: ImportBatch,
  statuses: readonly StatusToImport[],
  old: readonly StatusToImport[],
) {
  const users = await listUsersOfOrigin(db, origin, [...new Set(statuses.flatMap(namedUsers))]);
  if (job !== undefined && authorOriginId !== "") users.set(authorOriginId, job.authorId);
  const stored = await listStoredStatuses(db, origin, [...old, ...answeredStatuses(statuses, users)]);
  if (job !== undefined) await addOwn(db, job, old, stored);
  return { users, stored };
}

/** The authors of these statuses. */
export function authorsOf(statuses: readonly StatusToImport[]): bigint[] {
  return [...new Set(statuses.map((status) => status.authorId))];
}

/** The ids at the origin of all users whom a status names. */
function namedUsers({ inReplyTo, entities }: StatusToImport): string[] {
  return [inReplyTo.userOriginId, ...entities.userMentions.map((mention) => mention.id)];
}

/** The statuses that these reply to and that are not among these. */
function answeredStatuses(statuses: readonly StatusToImport[], users: ReadonlyMap<string, bigint>) {
  const among = new Set(statuses.map(originKey));
  return statuses.flatMap(({ inReplyTo }) => {
    const authorId = users.get(inReplyTo.userOriginId);
    if (authorId === undefined || inReplyTo.statusOriginId === "") return [];
    const answered = { authorId, originId: inReplyTo.statusOriginId };
    return among.has(originKey(answered)) ? [] : [answered];
  });
}

/**
 * For a timeline that is imported where it was exported: statuses that are stored under their own id with the same text count as
 * stored.
 */
async function addOwn(
  db: Db,
  { authorId }: JobKey,
  statuses: readonly StatusToImport[],
  stored: Map<string, StoredStatus>,
) {
  const own = statuses.flatMap((status) => {
    const id = stored.has(originKey(status)) ? undefined : ownId(status.originId, status.createdAt);
    return id === undefined ? [] : [{ id, text: status.text, key: originKey(status) }];
  });
  if (own.length === 0) return;
  const standing = await listStoredById(db, authorId, own);
  for (const { id, key } of own) {
    if (standing.has(id)) stored.set(key, { id, importDigest: "", job: undefined });
  }
}
