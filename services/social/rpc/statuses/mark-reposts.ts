import type { SocialContext } from "../../context.ts";
import { unknownUser } from "../../domain/errors.ts";
import { type Asserted, assertingFound } from "../../domain/subjects.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";
import { clearRepostsDue, findRepostsDue } from "../../store/profiles/reposts-due.ts";
import { listReposters, markReposts, renewTimelines } from "../../store/statuses/mark-reposts.ts";
import { type Write, write } from "../write.ts";

/**
 * Marks all reposts of those of these users whose protection has changed, a transaction for each batch, and announces who made
 * them. To be called behind every write that may have changed it or answers with it, before the answer. What a crash leaves is
 * finished by a repetition of the request, or by services/social/maintenance.ts.
 */
export async function restrictReposts(ctx: SocialContext, userIds: readonly bigint[]): Promise<void> {
  for (const { user_id, due } of await findRepostsDue(ctx.pool, userIds)) {
    let after: bigint | undefined = 0n;
    while (after !== undefined)
      after = await write(ctx, [user_id], (write) => markSomeReposts(write, user_id, after ?? 0n));
    await clearRepostsDue(ctx.pool, user_id, due);
  }
}

/**
 * Marks the reposts of one batch of those who have reposted a user, in ascending order of id, by what the user is now. All of the batch
 * are announced, changed or not: an earlier call may have changed them and been cut off before it announced them.
 * @param check refuses to go on with the user as it is now
 * @returns the last of them, or undefined when there are no more
 * @throws NotFound for an unknown user, and whatever `check` throws
 */
export async function markSomeReposts(
  write: Write,
  userId: bigint,
  after: bigint,
  check: (user: LockedProfile) => void = () => {},
): Promise<Asserted<bigint | undefined>> {
  const reposters = await listReposters(write.db, userId, after, batch);
  const user = (await write.lock([userId, ...reposters])).get(userId);
  if (user === undefined) throw unknownUser();
  check(user);
  await renewTimelines(write.db, await markReposts(write.db, user, reposters));
  return assertingFound(await write.subjectsOf(reposters), reposters.length < batch ? undefined : reposters.at(-1));
}

const batch = 250;
