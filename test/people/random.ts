import { randomNumbers } from "../../bench/load/random.ts";

/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number;
  /** One of these. Throws Error when there is none. */
  pick<T>(from: readonly T[]): T;
  /** True in so many of a hundred. */
  percent(chance: number): boolean;
}

export function createRandom(seed: number): Random {
  const next = randomNumbers(seed);
  return {
    next,
    pick(from) {
      if (from.length === 0) throw new Error("nothing to pick from");
      return from[Math.floor(next() * from.length)] as (typeof from)[number];
    },
    percent: (chance) => next() * 100 < chance,
  };
}
