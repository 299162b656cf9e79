import { unavailable } from "../../platform/errors.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { lockProfiles } from "../store/profiles/lock-profiles.ts";
import { deleteStatuses, listRepostedAuthors, uncountReposts } from "../store/statuses/delete-statuses.ts";
import {
  deleteFavorites,
  deleteOwnFavorites,
  deleteRemoved,
  listLeftovers,
  listRemoved,
  lockRemoved,
  maxRemoved,
} from "../store/statuses/undo-removed.ts";
import { awaitPrepared, write } from "./write.ts";

/**
 * Deletes statuses of one author (callers pass at most 1,000) in the caller's transaction; returns the ids of those that existed. The
 * timeline no longer shows them, and originals of which they were reposts no longer count them. Marks and reposts of them by
 * others remain until `finishRemoval`, which has to be called after the commit and before the answer.
 */
export async function removeStatuses(db: Db, authorId: bigint, statusIds: readonly bigint[]): Promise<bigint[]> {
  const keys = statusIds.map((id) => ({ authorId, id }));
  await lockProfiles(db, [authorId, ...(await listRepostedAuthors(db, keys))]);
  const gone = await deleteStatuses(db, keys);
  await uncountReposts(db, gone);
  // Not left to `finishRemoval`: authors see their own counters at once (contract §8.4).
  const ids = gone.map((status) => status.id);
  await deleteOwnFavorites(db, authorId, ids);
  return ids;
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
  let isDone = false;
  do isDone = await write(ctx, [authorId], (db) => undoSome(db, authorId));
  while (!isDone && Date.now() < end);
  return isDone;
}

const batch = 250;

/** One step. Returns whether nothing is left. */
async function undoSome(db: Db, authorId: bigint): Promise<boolean> {
  const removed = await listRemoved(db, authorId);
  const left = await listLeftovers(db, authorId, removed, batch);
  if (left.favorites.length + left.reposts.length === 0) {
    await deleteRemoved(db, authorId, removed);
    return removed.length < maxRemoved;
  }
  const locked = await lockRemoved(db, authorId, removed);
  const favorites = left.favorites.filter(({ statusId }) => locked.has(statusId));
  const reposts = left.reposts.filter(({ statusId }) => locked.has(statusId));
  await lockProfiles(db, [...favorites.map(({ userId }) => userId), ...reposts.map((repost) => repost.authorId)]);
  await deleteFavorites(db, authorId, favorites);
  await deleteStatuses(db, reposts);
  return false;
}
