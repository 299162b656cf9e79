import type { Db } from "../../../platform/postgres/pool.ts";
import { unknownStatus } from "../../domain/errors.ts";
import { type LockedProfile, lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { type FoundStatus, findStatus, type StatusKey } from "../../store/statuses/find-status.ts";
import { missingActor } from "../people/missing-actor.ts";

/** A user and a status; the rows of the user and of the status's author are locked. */
export interface LockedStatus {
  db: Db;
  user: LockedProfile;
  /** The status as the request names it, which may be a repost. */
  named: FoundStatus;
  /** The status itself; for a repost its original. */
  key: StatusKey;
  status: FoundStatus;
}

/**
 * Locks a user and the author of a status for a write, and returns the status; for a repost its original.
 * @throws NotFound for an unknown status, Unavailable while the user has no profile, Unauthenticated when it is gone
 */
export async function withStatus(db: Db, userId: bigint, status: StatusKey): Promise<LockedStatus> {
  const named = await getStatus(db, status);
  const key = originalOf(named);
  const user = (await lockProfiles(db, [userId, key.authorId])).get(userId);
  if (user === undefined) throw await missingActor(db, userId);
  return { db, user, named, key, status: await getStatus(db, key) };
}

function originalOf({ user_id, status_id, repost_of_author_id, repost_of_id }: FoundStatus): StatusKey {
  const isRepost = repost_of_author_id !== null && repost_of_id !== null;
  return isRepost ? { authorId: repost_of_author_id, id: repost_of_id } : { authorId: user_id, id: status_id };
}

async function getStatus(db: Db, key: StatusKey): Promise<FoundStatus> {
  const status = await findStatus(db, key);
  if (status === undefined) throw unknownStatus();
  return status;
}
