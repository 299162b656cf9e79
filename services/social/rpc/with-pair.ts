import { invalid, notFound } from "../../platform/errors.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { type LockedProfile, lockProfiles } from "../store/lock-profiles.ts";

/**
 * Runs a write between two users in a transaction that holds both rows; the work gets the one who is followed.
 * @throws InvalidArgument for a user and themselves; NotFound when either is unknown
 */
export function withPair<T>(
  ctx: SocialContext,
  { followerId, userId }: { followerId: bigint; userId: bigint },
  work: (db: Db, user: LockedProfile) => Promise<T>,
): Promise<T> {
  if (followerId === userId) throw invalid("userId", "RegularExpression", "'User Id' must be somebody else.");
  return transaction(ctx.pool, async (db) => {
    const locked = await lockProfiles(db, [followerId, userId]);
    const user = locked.get(userId);
    if (user === undefined || !locked.has(followerId)) throw notFound("There is no user with that id.");
    return work(db, user);
  });
}
