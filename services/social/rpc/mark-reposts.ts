import type { Db } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { type LockedProfile, lockProfiles } from "../store/profiles/lock-profiles.ts";
import { clearRepostsDue, findRepostsDue } from "../store/profiles/reposts-due.ts";
import {
  isAnyToMark,
  listReposters,
  type MarkedAuthor,
  markReposts,
  renewTimelines,
} from "../store/statuses/reposts.ts";
import { awaitPrepared, write } from "./write.ts";

/**
 * Updates all reposts of those of these users whose protection or suspension has changed, one transaction for each batch.
 * To be called before the answer of every write that may have changed the protection or answers with it.
 * After a crash a repeated request, or services/social/maintenance.ts, finishes the rest.
 */
export async function restrictReposts(ctx: SocialContext, userIds: readonly bigint[]): Promise<void> {
  const users = await findRepostsDue(ctx.pool, userIds);
  if (users.length > 0) await awaitPrepared(ctx);
  for (const { user_id, due } of users) {
    await markAllReposts(ctx, user_id);
    if (due !== null) await clearRepostsDue(ctx.pool, user_id, due);
  }
}

interface Progress {
  /** The result of the call before, 0 at first. */
  after?: bigint;
  /** Throws when the user has changed so that this should stop. */
  check?: (user: LockedProfile) => void;
  /** By Date.now(): the time after which no further batch begins; none when left out. */
  endMs?: number;
}

/**
 * Updates the reposts of a user's statuses to the user's current protection and suspension, one transaction for each batch of their owners.
 * @returns where the next call has to continue, a user id, or undefined when there are no more
 * @throws whatever `check` throws
 */
export async function markAllReposts(
  ctx: SocialContext,
  userId: bigint,
  { after = 0n, check = () => {}, endMs = Number.POSITIVE_INFINITY }: Progress = {},
): Promise<bigint | undefined> {
  let next: bigint | undefined = after;
  do {
    const start: bigint = next;
    const marked = await write(ctx, [userId], (db) => markSomeReposts(db, userId, start, check));
    next = marked.next;
    // Between two batches another call may have marked the earlier owners otherwise, and a third one may have been interrupted.
    if (next === undefined && start !== 0n && (await isAnyLeft(ctx, marked.author))) next = 0n;
    // Never ends at 0, which tells callers of Suspend that nothing is left.
  } while (next !== undefined && (next === 0n || Date.now() < endMs));
  return next;
}

async function isAnyLeft(ctx: SocialContext, author: MarkedAuthor): Promise<boolean> {
  await awaitPrepared(ctx);
  return isAnyToMark(ctx.pool, author);
}

/**
 * Updates one batch of owners in ascending order of id: few enough for a short transaction, since all owners are locked. Reposts of a user
 * who was deleted meanwhile are withheld: the deletion removes them one after the other.
 */
async function markSomeReposts(
  db: Db,
  userId: bigint,
  after: bigint,
  check: (user: LockedProfile) => void,
): Promise<{ next: bigint | undefined; author: MarkedAuthor }> {
  const { ids: reposters, isEnd } = await listReposters(db, userId, after, batch);
  const user = (await lockProfiles(db, [userId, ...reposters])).get(userId);
  if (user !== undefined) check(user);
  const author = user ?? { user_id: userId, suspended: true, protected: true };
  const { reposterIds, isAll } = await markReposts(db, author, reposters, batch.reposts);
  await renewTimelines(db, reposterIds, author.suspended || author.protected);
  const next = isEnd ? undefined : reposters.at(-1);
  const [first = 1n] = reposters;
  // An incomplete batch is repeated.
  return { next: isAll ? next : first - 1n, author };
}

const batch = { users: 250, reposts: 2_000 };
