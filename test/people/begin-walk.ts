import { signUp } from "../support/visitors.ts";
import type { Exchange } from "./exchange.ts";
import { type ModelPerson, newPerson } from "./model.ts";
import { createRandom, type Random } from "./random.ts";
import type { WalkedSystem } from "./walked-system.ts";

/** One walk: users who act at random on a system, and the model of them. */
export interface Walk {
  system: WalkedSystem;
  exchange: Exchange;
  random: Random;
  /** Users who have not left. */
  people: ModelPerson[];
  locks: Locks<ModelPerson>;
  /** How often each action was done, with its status. */
  done: Map<string, number>;
}

/** Registers new users. */
export async function beginWalk(system: WalkedSystem, exchange: Exchange, count: number, seed: number): Promise<Walk> {
  const names = Array.from({ length: count }, (_, index) => `walker${index}`);
  const people: ModelPerson[] = [];
  for (const name of names) people.push(newPerson(await signUp(system, name)));
  return { system, exchange, random: createRandom(seed), people, locks: createLocks(), done: new Map() };
}

/** Lets tasks run side by side when they lock different things, otherwise in the order in which they asked. */
interface Locks<T> {
  /** Resolves when no earlier task has or wants any of these; the returned function releases them. */
  take(wants: readonly T[]): Promise<() => void>;
}

function createLocks<T>(): Locks<T> {
  const held = new Set<T>();
  let waiting: { wants: readonly T[]; go: () => void }[] = [];

  function admit(): void {
    const taken = new Set(held);
    waiting = waiting.filter(({ wants, go }) => {
      const isFree = !wants.some((one) => taken.has(one));
      for (const one of wants) taken.add(one);
      if (!isFree) return true;
      for (const one of wants) held.add(one);
      go();
      return false;
    });
  }

  return {
    async take(wants) {
      await new Promise<void>((go) => {
        waiting.push({ wants, go });
        admit();
      });
      return () => {
        for (const one of wants) held.delete(one);
        admit();
      };
    },
  };
}
