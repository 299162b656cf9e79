import { unavailable } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { type Asserted, assertingFound, assertingNothing, authorSubject } from "../../domain/subjects.ts";
import { deleteStatuses, listRepostedAuthors, uncountReposts } from "../../store/statuses/delete-statuses.ts";
import {
  deleteFavorites,
  deleteOwnFavorites,
  deleteRemoved,
  deleteUndoneReposts,
  insertUndoneReposts,
  listLeftovers,
  listRemoved,
  lockRemoved,
  maxRemoved,
} from "../../store/statuses/undo-removed.ts";
import { awaitPrepared } from "../await-prepared.ts";
import { type WriteTransaction, write } from "../write.ts";
import { noteUndone } from "./undone-reposts.ts";

/**
 * Deletes statuses of one author (callers pass at most 1,000) in the caller's transaction; returns the ids of those that existed. The
 * timeline no longer shows them, and originals of which they were reposts no longer count them. Marks and reposts of them by
 * others remain until `finishRemoval`, which has to be called after the commit and before the answer.
 */
export async function removeStatuses(
  tx: WriteTransaction,
  authorId: bigint,
  statusIds: readonly bigint[],
): Promise<Asserted<bigint[]>> {
  const { db } = tx;
  const keys = statusIds.map((id) => ({ authorId, id }));
  const author = (await tx.lock([authorId, ...(await listRepostedAuthors(db, keys))])).get(authorId);
  const gone = await deleteStatuses(db, keys);
  await uncountReposts(db, gone);
  // Deleted users have been announced before.
  if (author !== undefined) await noteUndone(db, author, gone);
  // Not left to `finishRemoval`, which announces no counters: authors see their own counters at once (contract §8.4).
  const ids = gone.map((status) => status.id);
  await deleteOwnFavorites(db, authorId, ids);
  return assertingFound(await tx.subjectsOf([authorId]), ids);
}

/**
 * Deletes what is left of an author's removed statuses. May be called again at any time.
 * @throws Unavailable when that takes longer than a caller waits: services/social/maintenance.ts continues with it
 */
export async function finishRemoval(ctx: SocialContext, authorId: bigint): Promise<void> {
  if (!(await undoRemoved(ctx, authorId, Date.now() + maxMs)))
    throw unavailable(new Error("favourites and reposts of removed statuses are still being deleted"));
}

/** Milliseconds: less than the time-outs of callers. */
const maxMs = 3_000;

/**
 * Deletes favourites and reposts of an author's removed statuses, in transactions of at most `batch` users each, so that a status
 * with a million of them locks no row for long. Calls for the same author take turns.
 * @param end in milliseconds since 1970, after which no other transaction is started
 * @returns whether nothing is left
 */
export async function undoRemoved(ctx: SocialContext, authorId: bigint, end: number): Promise<boolean> {
  await awaitPrepared(ctx);
  let step: Step = { isDone: false, announced: [] };
  do step = await write(ctx, [authorId], (tx) => undoSome(tx, authorId, step.announced));
  while (!step.isDone && Date.now() < end);
  return step.isDone;
}

interface Step {
  isDone: boolean;
  /** The deleted reposts that were announced with it: the next step may forget them. */
  announced: bigint[];
}

const batch = 250;

/**
 * One step. The work is done when nothing is left and all deletions are announced: another call may have deleted something a moment
 * ago and not announced it yet.
 */
async function undoSome(tx: WriteTransaction, authorId: bigint, announced: readonly bigint[]): Promise<Asserted<Step>> {
  const { db } = tx;
  await deleteUndoneReposts(
    db,
    announced.map((id) => ({ authorId, id })),
  );
  const { removed, undone } = await listRemoved(db, authorId, batch);
  const left = await listLeftovers(db, authorId, removed, batch);
  if (left.favorites.length + left.reposts.length + undone.length === 0) {
    // Another call may have deleted the last ones between the two statements. Then it has noted them by now.
    const { undone: late } = await listRemoved(db, authorId, batch);
    if (late.length > 0) {
      return assertingFound(late.map(authorSubject), { isDone: false, announced: late.map(({ id }) => id) });
    }
    await deleteRemoved(db, authorId, removed);
    return assertingNothing("what was undone has been announced", {
      isDone: removed.length < maxRemoved,
      announced: [],
    });
  }
  const locked = await lockRemoved(db, authorId, removed);
  const favorites = left.favorites.filter(({ statusId }) => locked.has(statusId));
  const reposts = left.reposts.filter(({ statusId }) => locked.has(statusId));
  await tx.lock([...new Set([...favorites.map(({ userId }) => userId), ...reposts.map((repost) => repost.authorId)])]);
  await deleteFavorites(db, authorId, favorites);
  const deleted = await deleteStatuses(db, reposts);
  const subjects = await tx.subjectsOf(deleted.map((repost) => repost.author_id));
  const names = subjects.flatMap((subject) => (subject.kind === "author" ? [subject.screenName] : []));
  const noted = await insertUndoneReposts(
    db,
    names.map((screenName) => ({ authorId, screenName })),
  );
  return assertingFound([...subjects, ...undone.map(authorSubject)], {
    isDone: false,
    announced: [...noted, ...undone.map(({ id }) => id)],
  });
}
