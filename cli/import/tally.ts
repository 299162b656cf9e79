/** What became of a number of things. */
export interface Tally {
  added: number;
  updated: number;
  unchanged: number;
  refused: number;
}

/** A count of nothing. */
export function emptyTally(): Tally {
  return { added: 0, updated: 0, unchanged: 0, refused: 0 };
}

/** The count of everything that the given ones count. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const tally of tallies) {
    for (const outcome of outcomes) sum[outcome] += tally[outcome];
  }
  return sum;
}

/** A tally as the last lines of an import show it: "added 151, updated 0, unchanged 0, refused 0". */
export function formatTally(tally: Tally): string {
  return outcomes.map((outcome) => `${outcome} ${tally[outcome]}`).join(", ");
}

const outcomes = ["added", "updated", "unchanged", "refused"] as const;
