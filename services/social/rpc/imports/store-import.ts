import type { Db } from "../../../platform/postgres/pool.ts";
import { freeIds } from "../../domain/free-ids.ts";
import type { JobKey } from "../../domain/import-job.ts";
import type { StatusToImport } from "../../domain/imported-status.ts";
import { importedTime } from "../../domain/imported-time.ts";
import { ownId } from "../../domain/own-id.ts";
import { type ImportPlan, originKey, planImport, type StoredStatus } from "../../domain/plan-import.ts";
import { assertingFound } from "../../domain/subjects.ts";
import {
  advanceAuthors,
  insertImported,
  listStanding,
  listStoredStatuses,
  listUnfinishedOf,
  listUsersOfOrigin,
  mintIds,
  updateImported,
} from "../../store/imports/imported-statuses.ts";
import { listFreeIds } from "../../store/imports/list-free-ids.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import type { Write } from "../write.ts";

/** The origin of statuses, and the job that imports them. */
export interface Intake {
  origin: string;
  job: JobKey | undefined;
  /** The id at the origin by which the statuses of a job name their author; may be empty. */
  authorOriginId: string;
}

/** The result for statuses whose authors are known here. */
export interface Stored {
  outcomes: ImportPlan["outcomes"];
  /**
   * Authors with an unfinished deletion of a status that would exist again; then nothing was stored, of any author. Finishing the
   * deletion later would undo what others make of the new status. Call `undoRemoved` for these authors, then try again.
   */
  unfinished: ReadonlySet<bigint>;
}

/** Stores statuses whose authors are known here, inside a transaction, all or nothing. */
export async function storeImport(write: Write, intake: Intake, all: readonly StatusToImport[]) {
  const { db } = write;
  const authors = await write.lock(authorsOf(all));
  const { statuses, users, stored } = await lookUp(db, intake, all, authors);
  const fresh = statuses.filter((status) => !stored.has(originKey(status)));
  const plan = planImport(statuses, stored, await newIds(db, intake.origin, fresh), users, intake.job?.id);
  const subjects = await write.subjectsOf(authorsOf(all));
  // While their authors' rows are locked, nothing of theirs can be deleted.
  const unfinished = new Set((await listUnfinishedOf(db, plan.added)).map((status) => status.author_id));
  if (unfinished.size > 0) return assertingFound<Stored>(subjects, { outcomes: new Map(), unfinished });
  await insertImported(db, intake.origin, plan.added);
  await updateImported(db, plan.updated);
  await advanceAuthors(db, [...plan.authors.values()]);
  return assertingFound<Stored>(subjects, { outcomes: plan.outcomes, unfinished });
}

/** What storeImport would do with the present contents of the database. Locks and changes nothing. */
export async function foreseeImport(db: Db, intake: Intake, all: readonly StatusToImport[]) {
  const profiles = await listProfiles(db, authorsOf(all), []);
  const { statuses, users, stored } = await lookUp(db, intake, all, new Map(profiles.map((row) => [row.user_id, row])));
  // The plan needs an id for each new status; none of them is stored.
  const ids = new Map(statuses.map((status) => [originKey(status), 0n]));
  return planImport(statuses, stored, ids, users, intake.job?.id).outcomes;
}

/** The authors of these statuses. */
export function authorsOf(statuses: readonly StatusToImport[]): bigint[] {
  return [...new Set(statuses.map((status) => status.authorId))];
}

/** What is stored of these statuses and of those whom they name. */
async function lookUp(db: Db, intake: Intake, all: readonly StatusToImport[], authors: ReadonlyMap<bigint, unknown>) {
  const { origin, job, authorOriginId } = intake;
  const statuses = all.filter((status) => authors.has(status.authorId));
  const users = await listUsersOfOrigin(db, origin, [...new Set(statuses.flatMap(namedUsers))]);
  if (job !== undefined && authorOriginId !== "") users.set(authorOriginId, job.authorId);
  const stored = await listStoredStatuses(db, origin, [...statuses, ...answeredStatuses(statuses, users)]);
  if (job !== undefined) await addOwn(db, job, statuses, stored);
  return { statuses, users, stored };
}

/**
 * For a timeline that returns to where it was exported: statuses that are stored under their own id with the same text count as
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
  const standing = await listStanding(db, authorId, own);
  for (const { id, key } of own) {
    if (standing.has(id)) stored.set(key, { id, importDigest: Buffer.alloc(0), job: undefined });
  }
}

/** The ids at the origin of all users whom a status names. */
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
 * An id for each new status: its own if that was an id of a system like this one, else one from its original time. If it is
 * taken, the status gets a free one behind it.
 */
async function newIds(db: Db, origin: string, statuses: readonly StatusToImport[]): Promise<Map<string, bigint>> {
  const minted = await mintIds(
    db,
    statuses.map((status) => ({
      authorId: status.authorId,
      time: importedTime(origin, status.originId, status.createdAt),
    })),
  );
  const wanted = statuses.map((status, index) => ({
    ...status,
    first: ownId(status.originId, status.createdAt) ?? (minted[index] as bigint),
  }));
  return freeIds(wanted, await listFreeIds(db, wanted, wanted.length));
}
