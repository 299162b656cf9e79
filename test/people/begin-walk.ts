import type { Running } from "../../services/platform/lifecycle.ts";
import { createReplyCheck } from "../discovery/open-api.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
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

/** A whole system with two gateways, and with a Redis that can be cut off if the machine has one. */
export interface WalkedSystem extends TestSystem {
  /** The addresses of both gateways. */
  gateways: readonly string[];
  redisWire: FaultProxy | undefined;
  /** Throws for a reply that differs from the OpenAPI document. */
  checkReply(path: string, text: string): void;
}

export async function startWalkedSystem(): Promise<WalkedSystem> {
  const redis = await startTestRedis();
  const redisWire = redis && (await startFaultProxy(redis.port));
  // A long timeout, since a busy machine is slow.
  const settings = {
    SERVICE_TIMEOUT_MS: "60000",
    ...(redisWire && { REDIS_URL: `redis://127.0.0.1:${redisWire.port}` }),
  };
  const system = await startTestSystem(settings);
  const urls = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl, RATE_LIMITS: "off" };
  const second: Running = await launch("gateway", { ...urls, ...settings }, system);
  const check = createReplyCheck((await (await fetch(`${system.url}/openapi.json`)).json()) as never);
  return {
    ...system,
    gateways: [system.url, second.url],
    redisWire,
    checkReply(path, text) {
      const fault = check(pathInDocument(path), 200, JSON.parse(text));
      if (fault !== undefined) throw new Error(`the answer of ${path} is not as the document says: ${fault}`);
    },
    async stop() {
      await second.close();
      await system.stop();
      await redisWire?.close();
      await redis?.stop();
    },
  };
}

/** /social/ann/timelines/5/mark → /social/{ScreenName}/timelines/{Id}/mark */
function pathInDocument(path: string): string {
  return path.replace(/^\/social\/[^/]+/, "/social/{ScreenName}").replace(/timelines\/\d+/, "timelines/{Id}");
}
