import { invalid } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { suspendedUser, unknownUser } from "../../domain/errors.ts";
import { type LockedProfile, lockProfiles } from "../../store/profiles/lock-profiles.ts";

/**
 * Locks the rows of two users for a write between them and returns both.
 * @throws InvalidArgument for a user and themselves; NotFound when either is unknown; PermissionDenied `Suspended`
 */
export async function withPair(
  db: Db,
  { followerId, userId }: { followerId: bigint; userId: bigint },
): Promise<{ follower: LockedProfile; user: LockedProfile }> {
  if (followerId === userId) throw invalid("userId", "RegularExpression", "'User Id' must be another user's.");
  const locked = await lockProfiles(db, [followerId, userId]);
  const [follower, user] = [locked.get(followerId), locked.get(userId)];
  if (follower === undefined || user === undefined) throw unknownUser();
  if (follower.suspended || user.suspended) throw suspendedUser();
  return { follower, user };
}
