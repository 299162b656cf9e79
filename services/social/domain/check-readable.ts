import { canRead, type ReadAuthor } from "./can-read.ts";
import { blockedByUser, suspendedUser, unreadable } from "./errors.ts";

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
