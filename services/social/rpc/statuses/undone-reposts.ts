import type { Db } from "../../../platform/postgres/pool.ts";
import type { SocialContext } from "../../context.ts";
import { authorSubject } from "../../domain/subjects.ts";
import type { DeletedStatus } from "../../store/statuses/delete-statuses.ts";
import {
  deleteUndoneReposts,
  insertUndoneReposts,
  listAllUndoneReposts,
  listUndoneReposts,
} from "../../store/statuses/undo-removed.ts";
import { awaitPrepared } from "../await-prepared.ts";

/**
 * Stores which of a user's deleted statuses were reposts, in the transaction that deletes them. Cached pages show the originals until the
 * user is announced. A write of another process that hides an original no longer finds the repost, but finds this note of the user to
 * announce.
 */
export async function noteUndone(
  db: Db,
  user: { screen_name: string },
  deleted: readonly DeletedStatus[],
): Promise<void> {
  const reposts = deleted.flatMap(({ repost_of_author_id }) =>
    repost_of_author_id === null ? [] : [{ authorId: repost_of_author_id, screenName: user.screen_name }],
  );
  await insertUndoneReposts(db, reposts);
}

/**
 * Announces users whose reposts of an author were deleted a moment ago. To be called after a write that hides the author's statuses has
 * updated all reposts.
 */
export async function announceUndone(ctx: SocialContext, authorId: bigint): Promise<void> {
  // On a cluster the shard of a repost may have committed its deletion already, and that of the original its note not yet.
  await awaitPrepared(ctx);
  await ctx.freshness.announce((await listUndoneReposts(ctx.pool, authorId)).map(authorSubject));
}

/** Announces and deletes the notes of all authors. In most cases the write that made a note has announced it already. */
export async function clearUndone(ctx: SocialContext): Promise<void> {
  for (;;) {
    const notes = await listAllUndoneReposts(ctx.pool, batch);
    if (notes.length === 0) return;
    // On a cluster a note may be committed already, and the deletion of the repost not yet.
    await awaitPrepared(ctx);
    await ctx.freshness.announce(notes.map(authorSubject));
    await deleteUndoneReposts(
      ctx.pool,
      notes.map(({ author_id, id }) => ({ authorId: author_id, id })),
    );
    if (notes.length < batch) return;
  }
}

/** Notes in one step, so that it does not take long. */
const batch = 1_000;
