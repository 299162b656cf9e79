import type { Db } from "../../../platform/postgres/pool.ts";
import { freeIds } from "../../domain/free-ids.ts";
import type { JobKey } from "../../domain/import-job.ts";
import type { StatusToImport } from "../../domain/imported-status.ts";
import { importedTime } from "../../domain/imported-time.ts";
import { ownId } from "../../domain/own-id.ts";
import { type HeldStatus, type ImportPlan, originKey, planImport } from "../../domain/plan-import.ts";
import { assertingFound } from "../../domain/subjects.ts";
import {
  advanceAuthors,
  insertImported,
  listHeldStatuses,
  listStanding,
  listUnfinishedOf,
  listUsersOfOrigin,
  mintIds,
  updateImported,
} from "../../store/imports/imported-statuses.ts";
import { listFreeIds } from "../../store/imports/list-free-ids.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import type { Write } from "../write.ts";

/** Where statuses come from, and for whom. */
export interface Intake {
  origin: string;
  job: JobKey | undefined;
  /** The id at the origin by which the statuses of a job name their author; may be empty. */
  authorOriginId: string;
}

/** What became of statuses whose authors are known here. */
export interface Stored {
  outcomes: ImportPlan["outcomes"];
  /**
   * Authors of whom nothing was stored, like of all others: the deletion of a status that would exist again is not finished,
   * and finishing it would take what others make of the new one. Call `undoRemoved` for them, then try again.
   */
  unfinished: ReadonlySet<bigint>;
}

/** Stores statuses whose authors are known here, inside a transaction, all or nothing. */
export async function storeImport(write: Write, intake: Intake, all: readonly StatusToImport[]) {
  const { db } = write;
  const authors = await write.lock(authorsOf(all));
  const { statuses, users, held } = await lookUp(db, intake, all, authors);
  const fresh = statuses.filter((status) => !held.has(originKey(status)));
  const plan = planImport(statuses, held, await newIds(db, intake.origin, fresh), users, intake.job?.id);
  const subjects = await write.subjectsOf(authorsOf(all));
  // Under the lock of their authors nothing of theirs can be deleted any more.
  const unfinished = new Set((await listUnfinishedOf(db, plan.added)).map((status) => status.author_id));
  if (unfinished.size > 0) return assertingFound<Stored>(subjects, { outcomes: new Map(), unfinished });
  await insertImported(db, intake.origin, plan.added);
  await updateImported(db, plan.updated);
  await advanceAuthors(db, [...plan.authors.values()]);
  return assertingFound<Stored>(subjects, { outcomes: plan.outcomes, unfinished });
}

/** What storeImport would do, from what is stored now; locks and changes nothing. */
export async function foreseeImport(db: Db, intake: Intake, all: readonly StatusToImport[]) {
  const profiles = await listProfiles(db, authorsOf(all), []);
  const { statuses, users, held } = await lookUp(db, intake, all, new Map(profiles.map((row) => [row.user_id, row])));
  // New statuses need some id for the plan; none of it is stored.
  const ids = new Map(statuses.map((status) => [originKey(status), 0n]));
  return planImport(statuses, held, ids, users, intake.job?.id).outcomes;
}

/** Whose statuses these are. */
export function authorsOf(statuses: readonly StatusToImport[]): bigint[] {
  return [...new Set(statuses.map((status) => status.authorId))];
}

/** Who and what these statuses are and name, as far as it is known here. */
async function lookUp(db: Db, intake: Intake, all: readonly StatusToImport[], authors: ReadonlyMap<bigint, unknown>) {
  const { origin, job, authorOriginId } = intake;
  const statuses = all.filter((status) => authors.has(status.authorId));
  const users = await listUsersOfOrigin(db, origin, [...new Set(statuses.flatMap(namedUsers))]);
  if (job !== undefined && authorOriginId !== "") users.set(authorOriginId, job.authorId);
  const held = await listHeldStatuses(db, origin, [...statuses, ...answeredStatuses(statuses, users)]);
  if (job !== undefined) await holdOwn(db, job, statuses, held);
  return { statuses, users, held };
}

/** A timeline that comes back to where it was exported: what is stored there under its own id, word for word, is held. */
async function holdOwn(
  db: Db,
  { authorId }: JobKey,
  statuses: readonly StatusToImport[],
  held: Map<string, HeldStatus>,
) {
  const own = statuses.flatMap((status) => {
    const id = held.has(originKey(status)) ? undefined : ownId(status.originId, status.createdAt);
    return id === undefined ? [] : [{ id, text: status.text, key: originKey(status) }];
  });
  if (own.length === 0) return;
  const standing = await listStanding(db, authorId, own);
  for (const { id, key } of own) {
    if (standing.has(id)) held.set(key, { id, importDigest: Buffer.alloc(0), job: undefined });
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
 * An id for each new status: its own where it has been one of ours, else one from its original time. No author gets one
 * twice: where it is taken, the status gets one behind the others of its time.
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
