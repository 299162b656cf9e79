/** The fields of a status that decide when it is sent. */
export interface SendOrder {
  authorId: bigint;
  /** The id at the origin. */
  originId: string;
  /** The id at the origin of the status that it replies to, or that it reposts; "" without one. */
  answers: string;
}

/**
 * Groups statuses by author, so that a batch has few authors: each of them is locked and updated. Each author's
 * statuses stay in their order, and each one comes after the status of another author that it replies to, so that it finds it. Where
 * two authors reply to each other repeatedly, there is a group for each reply.
 * @param statuses in the order of time
 */
export function groupByAuthor<T extends SendOrder>(statuses: Iterable<T>): T[][] {
  /** The groups of each round by author. A reply to another author comes in a later round than its target. */
  const rounds: Map<bigint, T[]>[] = [];
  const lastRounds = new Map<bigint, number>();
  const placed = new Map<string, { authorId: bigint; round: number }>();
  for (const status of statuses) {
    const { authorId, originId } = status;
    const target = placed.get(status.answers);
    const earliest = target !== undefined && target.authorId !== authorId ? target.round + 1 : 0;
    const round = Math.max(earliest, lastRounds.get(authorId) ?? 0);
    lastRounds.set(authorId, round);
    placed.set(originId, { authorId, round });
    const groups = (rounds[round] ??= new Map());
    const group = groups.get(authorId);
    if (group === undefined) groups.set(authorId, [status]);
    else group.push(status);
  }
  return rounds.flatMap((groups) => [...groups.values()]);
}
