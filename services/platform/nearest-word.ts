/** The word that is at most two edits away, a third of its letters at most: the nearest, of several the first. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  const near = words
    .map((one) => ({ one, edits: editsBetween(word, one) }))
    .filter(({ one, edits }) => edits <= Math.min(2, one.length / 3));
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.one;
}

/** How many letters have to be added, removed, replaced or exchanged with their neighbour (the optimal string alignment distance). */
function editsBetween(a: string, b: string): number {
  let [before, last] = [[] as number[], [...b, ""].map((_, index) => index)];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const at = (line: number[], index: number) => line[index] ?? Number.POSITIVE_INFINITY;
      const isExchange = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + cost,
          isExchange ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}
