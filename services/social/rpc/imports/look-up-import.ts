import type { Db } from "../../../platform/postgres/pool.ts";
import { ownId } from "../../../platform/rules/own-id.ts";
import type { JobKey } from "../../domain/import-job.ts";
import type { StatusToImport } from "../../domain/imported-status.ts";
import { type ImportLookUp, originKey, repostKey, type StoredStatus } from "../../domain/plan-import.ts";
import {
  listReposts,
  listStoredById,
  listStoredStatuses,
  listUsersOfOrigin,
} from "../../store/imports/imported-statuses.ts";

/** The origin of statuses, and the job that imports them. */
export interface ImportBatch {
  origin: string;
  job: JobKey | undefined;
  /** The id at the origin by which the statuses of a job name their author; may be empty. */
  authorOriginId: string;
}

/** The ids of the users whom these statuses name, by their ids at the origin. */
export async function lookUpUsers(
  db: Db,
  { origin, job, authorOriginId }: ImportBatch,
  statuses: readonly StatusToImport[],
): Promise<Map<string, bigint>> {
  const users = await listUsersOfOrigin(db, origin, [...new Set(statuses.flatMap(namedUsers))]);
  if (job !== undefined && authorOriginId !== "") users.set(authorOriginId, job.authorId);
  return users;
}

/**
 * Looks up which of these statuses, and of those that they answer or repost, are stored.
 * @param users those whom they name
 * @param old those of the statuses that may be stored
 */
export async function lookUpImport(
  db: Db,
  { origin, job }: ImportBatch,
  users: ReadonlyMap<string, bigint>,
  statuses: readonly StatusToImport[],
  old: readonly StatusToImport[],
): Promise<ImportLookUp> {
  const stored = await listStoredStatuses(db, origin, [...old, ...targetsOf(statuses, users)]);
  if (job !== undefined) await addOwn(db, job, old, stored);
  const wanted = statuses.flatMap(({ authorId: userId, repostOf }) => {
    const authorId = repostOf && users.get(repostOf.userOriginId);
    const original = authorId && stored.get(originKey({ authorId, originId: repostOf.statusOriginId }));
    return original ? [{ userId, original: { authorId, id: original.id } }] : [];
  });
  const reposts = (await listReposts(db, wanted)).map((one) => [repostKey(one.userId, one.original), one.id] as const);
  return { users, stored, reposts: new Map(reposts) };
}

/** The authors of the originals of those of these statuses that are reposts. */
export function originalAuthorsOf(statuses: readonly StatusToImport[], users: ReadonlyMap<string, bigint>): bigint[] {
  return statuses.flatMap(({ repostOf }) => users.get(repostOf?.userOriginId ?? "") ?? []);
}

/** The authors of these statuses. */
export function authorsOf(statuses: readonly StatusToImport[]): bigint[] {
  return [...new Set(statuses.map((status) => status.authorId))];
}

/** The ids at the origin of all users whom a status names. */
function namedUsers({ inReplyTo, repostOf, entities }: StatusToImport): string[] {
  const original = repostOf === undefined ? [] : [repostOf.userOriginId];
  return [inReplyTo.userOriginId, ...original, ...entities.userMentions.map((mention) => mention.id)];
}

/** The statuses that these answer or repost and that are not among these. */
function targetsOf(statuses: readonly StatusToImport[], users: ReadonlyMap<string, bigint>) {
  const among = new Set(statuses.map(originKey));
  return statuses.flatMap(({ inReplyTo, repostOf }) =>
    [inReplyTo, repostOf].flatMap((target) => {
      const authorId = target && users.get(target.userOriginId);
      if (!authorId || target.statusOriginId === "") return [];
      const key = { authorId, originId: target.statusOriginId };
      return among.has(originKey(key)) ? [] : [key];
    }),
  );
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
    if (standing.has(id)) stored.set(key, { id, importDigest: "", job: undefined, isRepost: false });
  }
}
