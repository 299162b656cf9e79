import { signUp } from "../support/visitors.ts";
import type { Exchange } from "./exchange.ts";
import { createLocks, type Locks } from "./locks.ts";
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
