import type { Db } from "../../../platform/postgres/pool.ts";
import { missingStatus, unknownStatus, unknownUser, unreadableStatus } from "../../domain/errors.ts";
import { type LockedProfile, lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { type FoundStatus, findStatus, type StatusKey } from "../../store/statuses/find-status.ts";
import { mayRead } from "./may-read.ts";

/** A user's write that concerns a status. */
export interface StatusWrite {
  userId: bigint;
  status?: StatusKey | undefined;
}

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

/** The author of the named status, whose row is locked beside the user's, unless it is a repost. */
export function authorOf({ status }: StatusWrite): bigint[] {
  return status === undefined ? [] : [status.authorId];
}

/**
 * Locks a user and the author of a status for a write, and returns the status; for a repost its original.
 * @param missingUser thrown when the user has no profile; NotFound when left out
 * @throws NotFound for an unknown status
 */
export async function withStatus(
  db: Db,
  { userId, status }: StatusWrite,
  missingUser: (db: Db, userId: bigint) => Error | Promise<Error> = unknownUser,
): Promise<LockedStatus> {
  if (status === undefined) throw missingStatus();
  const named = await getStatus(db, status);
  const key = originalOf(named);
  const user = (await lockProfiles(db, [userId, key.authorId])).get(userId);
  if (user === undefined) throw await missingUser(db, userId);
  return { db, user, named, key, status: await getStatus(db, key) };
}

/**
 * Like withStatus, for writes that only readers of the status may make.
 * @throws FailedPrecondition when the user may not read it; PermissionDenied when its author has blocked the user, or `Suspended`
 * when its author is suspended
 */
export async function withReadableStatus(db: Db, request: StatusWrite): Promise<LockedStatus> {
  const locked = await withStatus(db, request);
  if (await mayRead(db, locked.status, request.userId)) return locked;
  throw unreadableStatus();
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
