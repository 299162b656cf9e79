import type { SocialContext } from "../../context.ts";
import { type Asserted, assertingFound } from "../../domain/subjects.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";
import { clearRepostsDue, findRepostsDue } from "../../store/profiles/reposts-due.ts";
import { listReposters, markReposts, renewTimelines } from "../../store/statuses/mark-reposts.ts";
import { awaitPrepared } from "../await-prepared.ts";
import { type Write, write } from "../write.ts";
import { announceUndone } from "./undone-reposts.ts";

/**
 * Updates all reposts of those of these users whose protection has changed, one transaction for each batch, and announces the users who
 * made these reposts. To be called before the answer of every write that may have changed the protection or answers with it. After a crash
 * a repeated request, or services/social/maintenance.ts, finishes the rest.
 */
export async function restrictReposts(ctx: SocialContext, userIds: readonly bigint[]): Promise<void> {
  const users = await findRepostsDue(ctx.pool, userIds);
  if (users.length > 0) await awaitPrepared(ctx);
  for (const { user_id, due } of users) {
    let after: bigint | undefined = 0n;
    while (after !== undefined)
      after = await write(ctx, [user_id], (write) => markSomeReposts(write, user_id, after ?? 0n));
    await announceUndone(ctx, user_id);
    if (due !== null) await clearRepostsDue(ctx.pool, user_id, due);
  }
}

/**
 * Updates the reposts of a user's statuses to the user's current protection and suspension, for one batch of their owners in ascending order
 * of id: few enough for a short transaction, since all owners are locked. All of them are announced, changed or not: an earlier call may have
 * changed their reposts and been interrupted before it announced them. Those of a user who was deleted meanwhile are withheld: the deletion
 * removes them one after the other.
 * @param check throws when the user has changed so that this should stop
 * @param after the result of the call before, 0 at first
 * @returns where the next call has to continue, a user id, or undefined when there are no more
 * @throws whatever `check` throws
 */
export async function markSomeReposts(
  write: Write,
  userId: bigint,
  after: bigint,
  check: (user: LockedProfile) => void = () => {},
): Promise<Asserted<bigint | undefined>> {
  const { ids: reposters, isEnd } = await listReposters(write.db, userId, after, batch);
  const user = (await write.lock([userId, ...reposters])).get(userId);
  if (user !== undefined) check(user);
  const author = user ?? { user_id: userId, suspended: true, protected: true };
  const { reposterIds, isAll } = await markReposts(write.db, author, reposters, batch.reposts);
  await renewTimelines(write.db, reposterIds);
  const next = isEnd ? undefined : reposters.at(-1);
  const [first = 1n] = reposters;
  // An incomplete batch is repeated. Never 0, which tells callers of Suspend that nothing is left.
  return assertingFound(await write.subjectsOf(reposters), isAll ? next : first - 1n);
}

const batch = { users: 250, reposts: 2_000 };
