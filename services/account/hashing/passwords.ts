import { randomBytes } from "node:crypto";
import * as library from "@node-rs/argon2";
import type { Depth } from "../../platform/concurrency-limit.ts";
import type { Counter } from "../../platform/metrics/counters.ts";
import { poolThreads } from "../../platform/thread-pool.ts";
import type { AccountConfig } from "../config.ts";
import { createTurnQueue } from "./turn-queue.ts";

/** Password hashing, behind one queue. */
export interface Passwords {
  /** Runs work with all its hashes in one turn. @throws what ConcurrencyLimit throws */
  inTurn<T>(caller: AbortSignal, work: (hashing: Hashing) => Promise<T>): Promise<T>;
  /** How many turns run, and how many wait. */
  depth(): Depth;
  /** Milliseconds that the work of the waiting turns will take. */
  backlogMs(): number;
}

/** The functions that the work of a turn may call. */
export interface Hashing {
  /** Argon2id in PHC form. */
  hash(password: string): Promise<string>;
  /**
   * Whether a password matches a hash. It is false only after one hash of each of these costs, so that the time reveals neither whether
   * there is a hash nor its cost.
   * @param costs of all stored hashes, `m=…,t=…,p=…`; none where the caller is that user
   */
  isRight(password: string, passwordHash: string | undefined, costs?: readonly string[]): Promise<boolean>;
  /** Whether a hash was made with less work than the settings ask for. */
  isWeak(passwordHash: string): boolean;
}

type Settings = AccountConfig["passwords"];

/**
 * Prepares hashing. As many turns run at once as libuv has threads, and one more, which waits inside libuv, so that no thread has to wait
 * for the event loop. A first hash, of a random password, is the first measurement.
 * @param refused counts the refused callers
 * @param argon2 replaces the library: tests count what is computed
 */
export async function createPasswords(
  options: Omit<Settings, "minLength">,
  refused?: Counter,
  argon2: Pick<typeof library, "hash" | "verify"> = library,
): Promise<Passwords> {
  const queue = createTurnQueue({ maxConcurrent: poolThreads() + 1, maxWaitMs: options.maxWaitMs, refused });
  // Argon2id is the library's default. Parallelism 1: the threads are for other users' hashes.
  const work = { memoryCost: options.memory, timeCost: options.passes, parallelism: 1 };
  await queue.run(() => makeHash(randomBytes(16).toString("base64")));
  const hashing: Hashing = {
    hash: makeHash,
    async isRight(password, passwordHash, costs = []) {
      if (passwordHash !== undefined && (await argon2.verify(passwordHash, password))) return true;
      for (const cost of costs) if (!passwordHash?.includes(`$${cost}$`)) await hashAt(cost, password);
      return false;
    },
    isWeak: (passwordHash) => isWeaker(passwordHash, options),
  };
  return {
    inTurn: (caller, work) => queue.run(() => work(hashing), caller),
    depth: queue.depth,
    backlogMs: queue.backlogMs,
  };

  // Both are named, and not async, so that tests can count their calls: a call of an async function counts again after each wait.
  function makeHash(password: string): Promise<string> {
    return argon2.hash(password, work);
  }

  /** Hashes for the time that it takes. */
  function hashAt(cost: string, password: string): Promise<unknown> {
    const [memoryCost, timeCost, parallelism] = cost.match(/\d+/g)?.map(Number) ?? [];
    return argon2.hash(password, { memoryCost, timeCost, parallelism });
  }
}

/** Whether a hash in PHC form was made with less memory or fewer passes than wanted; true for any other form. */
export function isWeaker(phc: string, wanted: Pick<Settings, "memory" | "passes">): boolean {
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(phc) ?? [];
  return !(Number(memory) >= wanted.memory && Number(passes) >= wanted.passes);
}
