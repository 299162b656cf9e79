import { randomBytes } from "node:crypto";
import * as library from "@node-rs/argon2";
import { type ConcurrencyLimit, createConcurrencyLimit, type Depth } from "../../platform/concurrency-limit.ts";
import type { Counter } from "../../platform/metrics/instruments.ts";
import { poolThreads } from "../../platform/thread-pool.ts";
import type { AccountConfig } from "../config.ts";
import { passwordForm } from "../domain/password.ts";

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
   * Compares a password with a hash. It is wrong only after one hash of each of these costs, so that the time reveals neither whether
   * there is a hash nor its cost; after two, where the password has another form than the one that is hashed now.
   * @param costs of all stored hashes, `m=…,t=…,p=…`; none where the caller is that user
   */
  compare(password: string, passwordHash: string | undefined, costs?: readonly string[]): Promise<Comparison>;
  /** Whether a password matches a hash. */
  isRight(password: string, passwordHash: string | undefined): Promise<boolean>;
}

/** `outdated`: right, and its hash should be made again, with more work or of the password's present form. */
export type Comparison = "right" | "outdated" | "wrong";

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
    hash: (password) => makeHash(passwordForm(password)),
    compare,
    isRight: async (password, passwordHash) => (await compare(password, passwordHash)) !== "wrong",
  };
  return {
    inTurn: (caller, work) => queue.run(() => work(hashing), caller),
    depth: queue.depth,
    backlogMs: queue.backlogMs,
  };

  async function compare(
    password: string,
    passwordHash: string | undefined,
    costs: readonly string[] = [],
  ): Promise<Comparison> {
    const form = passwordForm(password);
    // Older hashes were made of the password as it was typed.
    const texts = form === password ? [form] : [form, password];
    for (const text of texts) {
      if (passwordHash === undefined || !(await argon2.verify(passwordHash, text))) continue;
      return text === form && !isWeaker(passwordHash, options) ? "right" : "outdated";
    }
    const others = costs.filter((cost) => !passwordHash?.includes(`$${cost}$`));
    for (const cost of others) for (const text of texts) await hashAt(cost, text);
    return "wrong";
  }

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

interface TurnQueueOptions {
  /** How many turns run at once. */
  maxConcurrent: number;
  /** Milliseconds of work that may wait; callers disconnect before a longer wait ends. */
  maxWaitMs: number;
  /** Counts the refused callers. */
  refused?: Counter | undefined;
}

/** A concurrency limit whose queue is bounded by the time that its work takes. */
interface TurnQueue extends ConcurrencyLimit {
  /** Milliseconds that the work of the waiting turns will take; 0 before one was measured. */
  backlogMs(): number;
}

/** Bounded by time instead of length: how long a turn takes depends on the machine and its load, so it is measured. */
export function createTurnQueue({ maxConcurrent, maxWaitMs, refused }: TurnQueueOptions): TurnQueue {
  // Milliseconds of a turn, averaged; the last few dozen turns count most.
  let average = 0;
  const turns = createConcurrencyLimit(maxConcurrent, () => (maxWaitMs * maxConcurrent) / average, refused);
  const measure = (milliseconds: number) => {
    average = average === 0 ? milliseconds : average + (milliseconds - average) / 16;
  };
  return {
    run: (work, caller) =>
      turns.run(async () => {
        const started = performance.now();
        try {
          return await work();
        } finally {
          measure(performance.now() - started);
        }
      }, caller),
    depth: turns.depth,
    backlogMs: () => (turns.depth().waiting * average) / maxConcurrent,
  };
}
