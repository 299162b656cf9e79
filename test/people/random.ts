/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number;
  /** One of these. Throws Error when there is none. */
  pick<T>(from: readonly T[]): T;
  /** True in so many of a hundred. */
  percent(chance: number): boolean;
}

/** By mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick(from) {
      if (from.length === 0) throw new Error("nothing to pick from");
      return from[Math.floor(next() * from.length)] as (typeof from)[number];
    },
    percent: (chance) => next() * 100 < chance,
  };
}
