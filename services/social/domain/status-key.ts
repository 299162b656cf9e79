/** What names a status: ids are unique for one author only. Timelines of many authors are ordered by id, then by author id. */
export interface StatusKey {
  authorId: bigint;
  id: bigint;
}
