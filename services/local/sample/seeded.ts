/**
 * Numbers in [0, 1), always the same ones for the same seed: the town must not change between two starts. A linear
 * congruential generator (Numerical Recipes' constants) over a hash of the seed is random enough for gulls.
 */
export function seeded(seed: string): () => number {
  let state = hash(seed);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of such a generator repeat soon; only the upper ones are used.
    return (state >>> 8) / 2 ** 24;
  };
}

function hash(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 16_777_619);
  // Neighbouring texts differ in few bits so far; this spreads them.
  return Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0;
}
