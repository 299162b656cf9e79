import { launch } from "../support/launch.ts";
import { startTestRedis } from "../support/redis.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { signUp } from "../support/visitors.ts";
import type { Exchange } from "./exchange.ts";
import { type ModelPerson, newPerson } from "./model.ts";
import { createRandom, type Random } from "./random.ts";

/** One walk: users who act at random on a system, and the model of them. */
export interface Walk {
  system: WalkedSystem;
  exchange: Exchange;
  random: Random;
  /** Users who have not left. */
  people: ModelPerson[];
  locks: ReturnType<typeof createLocks<ModelPerson>>;
  /** How often each action was done, with its status. */
  done: Map<string, number>;
}

/** Registers new users. */
export async function beginWalk(system: WalkedSystem, exchange: Exchange, count: number, seed: number): Promise<Walk> {
  const people: ModelPerson[] = [];
  while (people.length < count) people.push(newPerson(await signUp(system, `walker${people.length}`)));
  return { system, exchange, random: createRandom(seed), people, locks: createLocks(), done: new Map() };
}

/** Lets tasks run side by side when they lock different things, otherwise in the order in which they asked. */
function createLocks<T>() {
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
    /** Resolves when no earlier task has or wants any of these; the returned function releases them. */
    async take(wants: readonly T[]): Promise<() => void> {
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

/** A whole system with two gateways, and with a Redis if the machine has one. */
export interface WalkedSystem extends TestSystem {
  /** The addresses of both gateways. */
  gateways: readonly [string, string];
}

export async function startWalkedSystem(withRedis = true): Promise<WalkedSystem> {
  const redis = withRedis ? await startTestRedis() : undefined;
  // A long timeout, since a busy machine is slow.
  const settings = { SERVICE_TIMEOUT_MS: "60000", ...(redis && { REDIS_URL: redis.url }) };
  const system = await startTestSystem(settings);
  const urls = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl, RATE_LIMITS: "off" };
  const second = await launch("gateway", { ...urls, ...settings }, system);
  return {
    ...system,
    gateways: [system.url, second.url],
    async stop() {
      await second.close();
      await system.stop();
      await redis?.stop();
    },
  };
}
