import type { Db } from "../../platform/postgres/pool.ts";
import { ownId } from "../../platform/rules/ids.ts";
import type { SocialContext } from "../context.ts";
import type { JobKey } from "../domain/import-job.ts";
import { freeIds, importedId } from "../domain/imported-id.ts";
import type { StatusToImport } from "../domain/imported-status.ts";
import {
  type ImportLookUp,
  type ImportPlan,
  originKey,
  type PlannedStatus,
  planImport,
  repostKey,
  type StoredStatus,
} from "../domain/plan-import.ts";
import { searchWords } from "../domain/search-words.ts";
import {
  advanceAuthors,
  getIdNode,
  insertImported,
  listFreeIds,
  listReposts,
  listStoredById,
  listStoredStatuses,
  listUnfinishedOf,
  listUsersOfOrigin,
  updateImported,
} from "../store/imports/imported-statuses.ts";
import { listProfiles } from "../store/profiles/list-profiles.ts";
import { type LockedProfile, lockProfiles } from "../store/profiles/lock-profiles.ts";
import { noteRemoved } from "../store/statuses/delete-statuses.ts";
import { insertMentions } from "../store/statuses/mentions.ts";
import { renewTimelines } from "../store/statuses/reposts.ts";

/** The origin of statuses, and the job that imports them. */
export interface ImportBatch {
  origin: string;
  job: JobKey | undefined;
  /** The id at the origin by which the statuses of a job name their author; may be empty. */
  authorOriginId: string;
}

/** The result for statuses whose authors are known here. */
interface Stored {
  outcomes: ImportPlan["outcomes"];
  /**
   * Authors with an unfinished deletion of a status that would exist again; then nothing was stored, of any author. Finishing the
   * deletion later would delete the marks and reposts of the new status. Call `finishRemoval` for these authors, then try again.
   */
  unfinished: ReadonlySet<bigint>;
  /** Authors of statuses that are reposts now: marks and reposts of them remain until `finishRemoval`. */
  converted: ReadonlySet<bigint>;
}

/** Stores statuses whose authors are known here, inside a transaction, all or nothing. */
export async function storeImport(db: Db, batch: ImportBatch, all: readonly StatusToImport[]): Promise<Stored> {
  const users = await lookUpUsers(db, batch, all);
  // Authors of originals too: whether a repost is hidden depends on them.
  const authors = await lockProfiles(db, [...new Set([...authorsOf(all), ...originalAuthorsOf(all, users)])]);
  const statuses = all.filter((status) => authors.has(status.authorId));
  const lookUp = await lookUpImport(db, batch, users, statuses);
  const newOnes = statuses.filter((status) => !lookUp.stored.has(originKey(status)));
  const plan = planImport(statuses, lookUp, await newIds(db, batch.origin, newOnes), batch.job?.id);
  const marked = (status: PlannedStatus) => ({ ...status, ...marksOf(status, authors), words: wordsOf(status) });

  // While their authors' rows are locked, nothing of theirs can be deleted.
  const unfinished = new Set((await listUnfinishedOf(db, plan.added)).map((status) => status.author_id));
  if (unfinished.size > 0) return { outcomes: new Map(), unfinished, converted: new Set() };
  await insertImported(db, batch.origin, batch.job?.id, plan.added.map(marked));
  await updateImported(db, plan.updated.map(marked));
  const converted = plan.updated.filter((status) => status.original && !lookUp.stored.get(originKey(status))?.isRepost);
  await noteRemoved(
    db,
    converted.map(({ authorId, id }) => ({ author_id: authorId, id })),
  );
  await insertMentions(
    db,
    [...plan.added, ...plan.updated]
      .filter(({ original }) => original === undefined)
      .map(({ authorId, id, content }) => ({ authorId, id, entities: content.columns.entities })),
  );
  const changes = [...plan.authors.values()];
  await advanceAuthors(db, changes);
  const reposters = changes.filter(({ reposts }) => reposts > 0).map(({ authorId }) => authorId);
  // Some of their reposts may be hidden.
  await renewTimelines(db, reposters);
  return { outcomes: plan.outcomes, unfinished, converted: new Set(converted.map(({ authorId }) => authorId)) };
}

/** As mark-reposts.ts marks a repost: also one of a user who is being deleted. */
function marksOf({ original }: PlannedStatus, authors: ReadonlyMap<bigint, LockedProfile>) {
  if (original === undefined) return { withheld: false, restricted: false };
  const author = authors.get(original.authorId);
  return { withheld: author?.suspended ?? true, restricted: author?.protected ?? true };
}

function wordsOf({ original, content }: PlannedStatus): string[] | undefined {
  return original === undefined ? searchWords(content.columns.text) : undefined;
}

/** An id for each new status. If its first one is taken, it gets a free one after it. */
async function newIds(db: Db, origin: string, newOnes: readonly StatusToImport[]): Promise<Map<string, bigint>> {
  const node = await getIdNode(db);
  const wanted = newOnes.map((status) => ({ ...status, first: importedId(origin, status, node) }));
  return freeIds(wanted, await listFreeIds(db, wanted, wanted.length));
}

/** What importing these statuses would do with the current contents of the database. Locks and changes nothing. */
export async function planOnly(ctx: SocialContext, batch: ImportBatch, all: readonly StatusToImport[]) {
  const profiles = await listProfiles(ctx.pool, authorsOf(all), []);
  const authors = new Set(profiles.map((row) => row.user_id));
  const statuses = all.filter((status) => authors.has(status.authorId));
  const users = await lookUpUsers(ctx.pool, batch, statuses);
  const lookUp = await lookUpImport(ctx.pool, batch, users, statuses);
  // The plan needs an id for each new status; none of them is stored.
  const ids = new Map(statuses.map((status) => [originKey(status), 0n]));
  return planImport(statuses, lookUp, ids, batch.job?.id).outcomes;
}

/** The ids of the users whom these statuses name, by their ids at the origin. */
async function lookUpUsers(
  db: Db,
  { origin, job, authorOriginId }: ImportBatch,
  statuses: readonly StatusToImport[],
): Promise<Map<string, bigint>> {
  const users = await listUsersOfOrigin(db, origin, [...new Set(statuses.flatMap(namedUsers))]);
  if (job !== undefined && authorOriginId !== "") users.set(authorOriginId, job.authorId);
  return users;
}

/** The ids at the origin of all users whom a status names. */
function namedUsers({ inReplyTo, repostOf, entities }: StatusToImport): string[] {
  const original = repostOf === undefined ? [] : [repostOf.userOriginId];
  return [inReplyTo.userOriginId, ...original, ...entities.userMentions.map((mention) => mention.id)];
}

/**
 * Looks up which of these statuses, and of those that they answer or repost, are stored.
 * @param users those whom they name
 */
async function lookUpImport(
  db: Db,
  { origin, job }: ImportBatch,
  users: ReadonlyMap<string, bigint>,
  statuses: readonly StatusToImport[],
): Promise<ImportLookUp> {
  const stored = await listStoredStatuses(db, origin, [...statuses, ...targetsOf(statuses, users)]);
  if (job !== undefined) await addOwn(db, job, statuses, stored);
  const wanted = statuses.flatMap(({ authorId: userId, repostOf }) => {
    const authorId = repostOf && users.get(repostOf.userOriginId);
    const original = authorId && stored.get(originKey({ authorId, originId: repostOf.statusOriginId }));
    return original ? [{ userId, original: { authorId, id: original.id } }] : [];
  });
  const reposts = (await listReposts(db, wanted)).map((one) => [repostKey(one.userId, one.original), one.id] as const);
  return { users, stored, reposts: new Map(reposts) };
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

/** The authors of these statuses. */
export function authorsOf(statuses: readonly StatusToImport[]): bigint[] {
  return [...new Set(statuses.map((status) => status.authorId))];
}

/** The authors of the originals of those of these statuses that are reposts. */
function originalAuthorsOf(statuses: readonly StatusToImport[], users: ReadonlyMap<string, bigint>): bigint[] {
  return statuses.flatMap(({ repostOf }) => users.get(repostOf?.userOriginId ?? "") ?? []);
}
