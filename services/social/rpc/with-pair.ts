import { invalid, notFound } from "../../platform/errors.ts";
import { type LockedProfile, lockProfiles } from "../store/lock-profiles.ts";
import type { Write } from "./write.ts";

/**
 * Locks the rows of two users for a write between them and returns the one who is followed.
 * @throws InvalidArgument for a user and themselves; NotFound when either is unknown
 */
export async function withPair(
  { db }: Write,
  { followerId, userId }: { followerId: bigint; userId: bigint },
): Promise<LockedProfile> {
  if (followerId === userId) throw invalid("userId", "RegularExpression", "'User Id' must be somebody else.");
  const locked = await lockProfiles(db, [followerId, userId]);
  const user = locked.get(userId);
  if (user === undefined || !locked.has(followerId)) throw notFound("There is no user with that id.");
  return user;
}
