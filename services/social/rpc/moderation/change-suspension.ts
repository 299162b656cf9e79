import { conflict } from "../../../platform/errors.ts";
import { isId } from "../../../platform/storable.ts";
import type { SocialContext } from "../../context.ts";
import { badUserId, unknownUser } from "../../domain/errors.ts";
import { assertingFound, authorSubject } from "../../domain/subjects.ts";
import { updateSuspended } from "../../store/moderation/suspend.ts";
import { listReposters, renewTimelines, withholdReposts } from "../../store/moderation/withhold-reposts.ts";
import { type Write, write } from "../write.ts";

/**
 * Suspends a user or ends that, then goes through those who have reposted the user, in ascending order of id, a transaction for
 * each batch. All of them are announced, changed or not: an earlier call may have changed them and been cut off
 * before it announced them.
 * @returns after whom the next call has to go on; 0n when nothing is left
 * @throws NotFound for an unknown user; Aborted `Conflict` when the opposite was asked for meanwhile
 */
export async function changeSuspension(
  ctx: SocialContext,
  { userId, afterUserId }: { userId: bigint; afterUserId: bigint },
  suspended: boolean,
): Promise<bigint> {
  if (!isId(userId)) throw badUserId();
  if (afterUserId === 0n) {
    await write(ctx, [userId], async (write) => {
      const user = await lockUser(write, userId);
      await updateSuspended(write.db, userId, suspended);
      return assertingFound([authorSubject(user)], undefined);
    });
  }
  const end = Date.now() + timeoutMs;
  let after: bigint | undefined = afterUserId;
  do {
    after = await write(ctx, [userId], (write) => changeSome(write, userId, after ?? 0n, suspended));
  } while (after !== undefined && Date.now() < end);
  return after ?? 0n;
}

/** Milliseconds after which a call answers, complete or not: well before its caller's deadline. */
const timeoutMs = 3_000;
const batch = 250;

/** One batch of those who have reposted the user. The last of them, or undefined when there are no more. */
async function changeSome(write: Write, userId: bigint, after: bigint, suspended: boolean) {
  const reposters = await listReposters(write.db, userId, after, batch);
  const user = await lockUser(write, userId, reposters);
  if (user.suspended !== suspended) throw conflict("The opposite was asked for this user meanwhile.");
  await renewTimelines(write.db, await withholdReposts(write.db, userId, reposters, suspended));
  const last = reposters.length < batch ? undefined : reposters.at(-1);
  return assertingFound(await write.subjectsOf(reposters), last);
}

async function lockUser(write: Write, userId: bigint, others: readonly bigint[] = []) {
  const user = (await write.lock([userId, ...others])).get(userId);
  if (user === undefined) throw unknownUser();
  return user;
}
