import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import type { Depth } from "../../platform/concurrency-limit.ts";
import type { Counter } from "../../platform/metrics/counters.ts";
import { createTurnQueue } from "./turn-queue.ts";

/** Everything that costs a hash, behind one queue. */
export interface Passwords {
  /** Does work that hashes, and what belongs to it, in one turn. Throws what TurnQueue throws. */
  inTurn<T>(caller: AbortSignal, work: (hashing: Hashing) => Promise<T>): Promise<T>;
  /** How many turns are taken, and how many wait. */
  depth(): Depth;
}

/** What a turn may do. */
export interface Hashing {
  /** Argon2id in PHC form. */
  hash(password: string): Promise<string>;
  /** Whether a password is the one of a hash. Without a hash it is not, after the same work. */
  isRight(password: string, passwordHash: string | undefined): Promise<boolean>;
  /** Whether a hash was made with less work than is asked for today. */
  isWeak(passwordHash: string): boolean;
}

export interface PasswordOptions extends HashParameters {
  /** Milliseconds of work that may wait. */
  maxWaitMs: number;
}

/**
 * Prepares hashing. As many turns run at a time as libuv has threads, since more would only wait inside them. The hash of a
 * random password stands in for the missing one of an unknown user; making it is also the first measurement.
 * @param refused counts the callers whom the queue refused
 */
export async function createPasswords(options: PasswordOptions, refused?: Counter): Promise<Passwords> {
  const queue = createTurnQueue({ width: 4, maxWaitMs: options.maxWaitMs, refused });
  // Argon2id is the library's default. One lane: the threads are for other people's passwords.
  const work = { memoryCost: options.memory, timeCost: options.passes, parallelism: 1 };
  const randomHash = await queue.inTurn(undefined, () => makeHash(randomBytes(16).toString("base64")));
  const hashing: Hashing = {
    hash: makeHash,
    async isRight(password, passwordHash) {
      const same = await verify(passwordHash ?? randomHash, password);
      return same && passwordHash !== undefined;
    },
    isWeak: (passwordHash) => isWeaker(passwordHash, options),
  };
  return { inTurn: (caller, work) => queue.inTurn(caller, () => work(hashing)), depth: queue.depth };

  // Named, so that a test can count its calls.
  function makeHash(password: string): Promise<string> {
    return hash(password, work);
  }
}

/** How much work an Argon2 hash is. */
interface HashParameters {
  /** KiB. */
  memory: number;
  passes: number;
}

/** Whether a hash in PHC form was made with less memory or fewer passes than wanted. One that is not in that form was. */
export function isWeaker(phc: string, wanted: HashParameters): boolean {
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(phc) ?? [];
  return !(Number(memory) >= wanted.memory && Number(passes) >= wanted.passes);
}
