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
