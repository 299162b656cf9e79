/** Deals the cards in an order of chance, round and round: so no card comes again before all others have. */
export function deck<T>(cards: readonly T[], random: () => number): () => T {
  const order = cards.map((card) => ({ card, rank: random() })).sort((a, b) => a.rank - b.rank);
  let dealt = 0;
  return () => (order[dealt++ % order.length] as { card: T }).card;
}
