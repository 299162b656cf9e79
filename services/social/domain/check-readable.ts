import { canRead, type ReadAuthor } from "./can-read.ts";
import { blockedByUser, suspendedUser } from "./errors.ts";

/**
 * Checks that a viewer may read a user's statuses.
 * @param protectedError thrown when the user is protected from the viewer
 * @throws PermissionDenied, with `Suspended` or `Forbidden`, or the given error
 */
export function checkReadable(
  author: ReadAuthor,
  viewer: bigint | undefined,
  protectedError: (viewer: bigint | undefined) => Error,
): void {
  if (author.suspended) throw suspendedUser();
  if (author.blocks_viewer) throw blockedByUser();
  if (!canRead(author, viewer)) throw protectedError(viewer);
}
