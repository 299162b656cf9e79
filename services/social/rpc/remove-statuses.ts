import type { SocialContext } from "../context.ts";
import { deleteStatuses, listRepostedAuthors, uncountReposts } from "../store/delete-statuses.ts";
import { lockProfiles } from "../store/lock-profiles.ts";
import { deleteFavorites, deleteRemoved, listLeftovers } from "../store/undo-removed.ts";
import { type Write, write } from "./write.ts";

/**
 * Deletes statuses of one author in the caller's transaction, at most 1,000, and returns the ids of those that stood: the
 * timeline no longer shows them, and originals of which they were reposts no longer count them. What others made of the
 * statuses stays until `undoRemoved`, which has to be called after the commit and before the acknowledgement.
 */
export async function removeStatuses(
  { db, changed }: Write,
  authorId: bigint,
  ids: readonly bigint[],
): Promise<bigint[]> {
  const keys = ids.map((id) => ({ authorId, id }));
  const locked = await lockProfiles(db, [authorId, ...(await listRepostedAuthors(db, keys))]);
  const gone = await deleteStatuses(db, keys);
  await uncountReposts(db, gone);
  const author = locked.get(authorId);
  if (author !== undefined && gone.length > 0) changed(author);
  return gone.map(({ id }) => id);
}

/**
 * Undoes favourites and reposts of an author's removed statuses, in transactions of at most `batch` users each, so that a
 * status with a million of them locks nobody for long. May be called again at any time; what a crash leaves is finished by
 * services/social/upkeep.ts.
 */
export async function undoRemoved(ctx: SocialContext, authorId: bigint): Promise<void> {
  for (let left = true; left; ) left = await write(ctx, (write) => undoSome(write, authorId));
}

const batch = 250;

/** Whether something may be left. */
async function undoSome({ db, changed }: Write, authorId: bigint): Promise<boolean> {
  const { removed, favorites, reposts } = await listLeftovers(db, authorId, batch);
  if (removed.length === 0) return false;
  if (favorites.length + reposts.length === 0) {
    await deleteRemoved(db, authorId, removed);
    return true;
  }
  const users = new Set([...favorites.map(({ userId }) => userId), ...reposts.map((repost) => repost.authorId)]);
  const locked = await lockProfiles(db, [...users]);
  await deleteFavorites(db, authorId, favorites);
  for (const { author_id } of await deleteStatuses(db, reposts)) changedIfKnown(author_id);
  return true;

  function changedIfKnown(userId: bigint) {
    const profile = locked.get(userId);
    if (profile !== undefined) changed(profile);
  }
}
