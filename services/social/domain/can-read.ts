import { blockedByUser, suspendedUser, unreadable } from "./errors.ts";

/** The author of the statuses to read, with the viewer's relation to them. */
export interface ReadAuthor {
  user_id: bigint;
  protected: boolean;
  suspended: boolean;
  following: boolean;
  blocks_viewer: boolean;
}

/**
 * Whether a viewer may read a user's statuses. Those of a suspended user are read by no viewer, those of a protected user
 * by that user and approved followers. A viewer whom the user has blocked reads none.
 */
export function canRead(author: ReadAuthor, viewer: bigint | undefined): boolean {
  if (author.suspended || author.blocks_viewer) return false;
  return !author.protected || author.user_id === viewer || author.following;
}

/**
 * Checks that a viewer may read a user's statuses.
 * @param protectedMessage says what only approved followers may read
 * @throws PermissionDenied, with `Suspended` or `Forbidden`; Unauthenticated when the user is protected from an anonymous caller
 */
export function checkReadable(author: ReadAuthor, viewer: bigint | undefined, protectedMessage: string): void {
  if (author.suspended) throw suspendedUser();
  if (author.blocks_viewer) throw blockedByUser();
  if (!canRead(author, viewer)) throw unreadable(viewer, protectedMessage);
}
