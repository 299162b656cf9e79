import type { Db } from "../../../platform/postgres/pool.ts";
import { type FreeIds, freeIds } from "../../domain/free-ids.ts";
import { contentJson } from "../../domain/imported-content.ts";
import { importedId } from "../../domain/imported-id.ts";
import type { StatusToImport } from "../../domain/imported-status.ts";
import { type ImportPlan, originKey, type PlannedStatus, planImport } from "../../domain/plan-import.ts";
import { largestId } from "../../domain/timeline-page.ts";
import {
  advanceAuthors,
  getIdNode,
  insertImported,
  listUnfinishedOf,
  updateImported,
} from "../../store/imports/imported-statuses.ts";
import { listFreeIds } from "../../store/imports/list-free-ids.ts";
import { type LockedProfile, lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { renewTimelines } from "../../store/statuses/mark-reposts.ts";
import { authorsOf, type ImportBatch, lookUpImport, lookUpUsers, originalAuthorsOf } from "./look-up-import.ts";

/** The result for statuses whose authors are known here. */
export interface Stored {
  outcomes: ImportPlan["outcomes"];
  /**
   * Authors with an unfinished deletion of a status that would exist again; then nothing was stored, of any author. Finishing the
   * deletion later would delete the marks and reposts of the new status. Call `finishRemoval` for these authors, then try again.
   */
  unfinished: ReadonlySet<bigint>;
}

/**
 * Stores statuses whose authors are known here, inside a transaction, all or nothing.
 * @param trusting true: a status with a larger id than its author ever had counts as new, without a look-up. It is not new if the origin
 * has changed its time: then a unique index refuses it, and the caller has to call again with false.
 */
export async function storeImport(
  db: Db,
  batch: ImportBatch,
  all: readonly StatusToImport[],
  trusting: boolean,
): Promise<Stored> {
  const users = await lookUpUsers(db, batch, all);
  // Authors of originals too: whether a repost is hidden depends on them.
  const authors = await lockProfiles(db, [...new Set([...authorsOf(all), ...originalAuthorsOf(all, users)])]);
  /** No status of the author ever had a larger id, if that is trusted. */
  const watermarkOf = (authorId: bigint) => (trusting ? (authors.get(authorId)?.id_watermark ?? 0n) : largestId);
  const statuses = all.filter((status) => authors.has(status.authorId));
  const candidates = candidatesOf(batch.origin, statuses, watermarkOf, await getIdNode(db));
  const lookUp = await lookUpImport(
    db,
    batch,
    users,
    statuses,
    candidates.filter(({ isLatest }) => !isLatest).map(({ status }) => status),
  );
  const newOnes = candidates.filter(({ status }) => !lookUp.stored.has(originKey(status)));
  const plan = planImport(statuses, lookUp, await newIds(db, newOnes), batch.job?.id);
  const marked = (status: PlannedStatus) => ({ ...status, ...marksOf(status, authors) });

  // While their authors' rows are locked, nothing of theirs can be deleted.
  const earlier = plan.added.filter(({ authorId, id }) => id <= watermarkOf(authorId));
  const unfinished = new Set((await listUnfinishedOf(db, earlier)).map((status) => status.author_id));
  if (unfinished.size > 0) return { outcomes: new Map(), unfinished };
  await insertImported(db, batch.origin, batch.job?.id, plan.added.map(marked));
  await updateImported(
    db,
    plan.updated.map((status) => ({ ...marked(status), json: contentJson(status.content.columns) })),
  );
  const changes = [...plan.authors.values()];
  await advanceAuthors(db, changes);
  const reposters = changes.filter(({ reposts }) => reposts > 0).map(({ authorId }) => authorId);
  // Some of their reposts may be hidden.
  await renewTimelines(db, reposters);
  return { outcomes: plan.outcomes, unfinished };
}

/** As rpc/statuses/mark-reposts.ts marks a repost: also one of a user who is being deleted. */
function marksOf({ original }: PlannedStatus, authors: ReadonlyMap<bigint, LockedProfile>) {
  if (original === undefined) return { withheld: false, restricted: false };
  const author = authors.get(original.authorId);
  return { withheld: author?.suspended ?? true, restricted: author?.protected ?? true };
}

/** The place of a status in its author's timeline. */
interface Candidate extends Pick<StatusToImport, "authorId" | "originId"> {
  status: StatusToImport;
  /** The first id to try. */
  first: bigint;
  /** Whether neither that id nor a larger one was ever given to a status of the author. */
  isLatest: boolean;
}

function candidatesOf(
  origin: string,
  statuses: readonly StatusToImport[],
  watermarkOf: (authorId: bigint) => bigint,
  node: bigint,
): Candidate[] {
  return statuses.map((status) => {
    const { authorId, originId } = status;
    const first = importedId(origin, status, node);
    return { status, authorId, originId, first, isLatest: first > watermarkOf(authorId) };
  });
}

/** An id for each new status. If its first one is taken, it gets a free one after it. */
async function newIds(db: Db, newOnes: readonly Candidate[]): Promise<Map<string, bigint>> {
  const latest = newOnes.filter(({ isLatest }) => isLatest);
  const earlier = newOnes.filter(({ isLatest }) => !isLatest);
  const free: FreeIds[] = latest.map(({ authorId, first }) => ({ authorId, first, isFirstFree: true, start: first }));
  return freeIds(newOnes, [...free, ...(await listFreeIds(db, earlier, newOnes.length))]);
}
