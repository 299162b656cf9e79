/** Whether a viewer may read a user's statuses: a protected user's are for the user and approved followers. */
export function canRead(
  author: { user_id: bigint; protected: boolean; following: boolean },
  viewer: bigint | undefined,
): boolean {
  return !author.protected || author.user_id === viewer || author.following;
}
