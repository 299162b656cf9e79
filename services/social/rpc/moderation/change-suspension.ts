import { conflict, invalid } from "../../../platform/errors.ts";
import { isId } from "../../../platform/rules/ids.ts";
import type { SocialContext } from "../../context.ts";
import { badUserId, unknownUser } from "../../domain/errors.ts";
import { updateSuspended } from "../../store/moderation/suspend.ts";
import { lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { clearRepostsDue, findRepostsDue } from "../../store/profiles/reposts-due.ts";
import { awaitPrepared } from "../await-prepared.ts";
import { markAllReposts } from "../statuses/mark-reposts.ts";
import { write } from "../write.ts";

/**
 * Suspends a user or ends the suspension, then updates the reposts of the user's statuses by their owners, in ascending order of
 * id, one transaction for each batch. What an interrupted call leaves is done by its repetition, or by maintenance.
 * @param timeoutMs milliseconds after which a call answers, complete or not
 * @returns the id of the owner after which the next call has to continue; 0n when nothing is left
 * @throws NotFound for an unknown user; Aborted `Conflict` when the opposite was requested meanwhile; Unavailable while a write stays prepared on a
 * worker of a cluster
 */
export async function changeSuspension(
  ctx: SocialContext,
  { userId, afterUserId }: { userId: bigint; afterUserId: bigint },
  suspended: boolean,
  timeoutMs = defaultTimeoutMs,
): Promise<bigint> {
  if (!isId(userId)) throw badUserId();
  if (afterUserId < 0n) throw invalid("afterUserId", "InclusiveBetween", "'After User Id' must be an id, or 0.");
  let due: bigint | null | undefined;
  if (afterUserId === 0n) {
    await write(ctx, [userId], async (db) => {
      if (!(await lockProfiles(db, [userId])).has(userId)) throw unknownUser();
      await updateSuspended(db, userId, suspended);
    });
    // Before the wait, so that it covers each change that is cleared below.
    due = (await findRepostsDue(ctx.pool, [userId]))[0]?.due;
    await awaitPrepared(ctx);
  }
  const check = (user: { suspended: boolean }) => {
    if (user.suspended !== suspended) throw conflict("The opposite was asked for this user meanwhile.");
  };
  const next = await markAllReposts(ctx, userId, { after: afterUserId, check, endMs: Date.now() + timeoutMs });
  // Where several calls went through them, maintenance does so once more: it is not known for which change the first call did.
  if (next === undefined && due) await clearRepostsDue(ctx.pool, userId, due);
  return next ?? 0n;
}

/** Well before the caller's deadline. */
const defaultTimeoutMs = 3_000;
