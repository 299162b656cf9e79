import { createHash } from "node:crypto";
import { addressOf } from "../platform/connect/identity.ts";
import { addressKey } from "../platform/limits/address-key.ts";
import { gcra } from "../platform/limits/gcra.ts";
import type { LimitsRedis } from "../platform/limits/limits-redis.ts";
import type { Charge } from "../platform/limits/rate-limiter.ts";
import { createRefusingLimiter } from "../platform/limits/refusing-limiter.ts";
import type { Log } from "../platform/log.ts";
import { createLru } from "../platform/lru.ts";
import type { Counters } from "../platform/metrics/instruments.ts";
import type { AccountConfig } from "./config.ts";
import { loginKey } from "./domain/login.ts";

/** Rate limits on calls that cost a hash or reveal who is registered (docs/decisions/limits.md). */
export interface Limits {
  /** Counts a registration, successful or not. @throws ResourceExhausted with the seconds to wait */
  registration(header: Headers, names: readonly (string | undefined)[]): Promise<void>;
  /** Checks the password of a sign-in. @throws ResourceExhausted with the seconds to wait, and what the check throws */
  signIn<T extends Proof>(header: Headers, login: string, check: Check<T>): Promise<T | undefined>;
  /** The same for the current password of a user who is already signed in. */
  passwordChange<T extends Proof>(header: Headers, userId: bigint, check: Check<T>): Promise<T | undefined>;
  close(): void;
}

/** Resolves with undefined when the password is wrong: only a wrong password stays counted for the name. */
type Check<T extends Proof> = () => Promise<T | undefined>;

/** The user whose password was right. */
interface Proof {
  userId: bigint;
}

const limitNames = [
  "registration:address",
  "registration:name",
  "registration:name-anywhere",
  "sign-in:address",
  "sign-in:name",
  "sign-in:name-anywhere",
  "password-change:name",
  "password-change:name-anywhere",
];

export function createLimits(config: AccountConfig["limits"], log: Log, refusals: Counters): Limits {
  const limiter = createRefusingLimiter(config, gcra, limitNames, log, refusals);
  const known = createKnownAddresses(limiter.redis);

  /** The charge by address stays, since a hash was computed; the charge by name is returned unless the password was wrong. */
  async function guess<T extends Proof>(header: Headers, action: string, name: string, check: Check<T>) {
    const address = addressKey(addressOf(header) ?? "");
    const isKnown = address !== undefined && (await known.has(limitKey(name, address)));
    const all = chargesByName(action, config.signInsPerName, name, address);
    const byName = isKnown ? all.slice(0, 1) : all;
    const taken = await limiter.take([...chargesByAddress("sign-in", config.signInsPerAddress, address), ...byName]);
    let isWrong = false;
    try {
      const proof = await check();
      isWrong = proof === undefined;
      if (proof && address !== undefined)
        await known.add([name, userKey(proof.userId)].map((of) => limitKey(of, address)));
      return proof;
    } finally {
      if (!isWrong) await taken.giveBack(byName);
    }
  }

  return {
    async registration(header, names) {
      const address = addressKey(addressOf(header) ?? "");
      const given = names.filter((name) => name !== undefined).map(loginKey);
      await limiter.take([
        ...chargesByAddress("registration", config.registrationsPerAddress, address),
        ...given.flatMap((name) => chargesByName("registration", config.registrationsPerName, name, address)),
      ]);
    },
    signIn: (header, login, check) => guess(header, "sign-in", loginKey(login), check),
    passwordChange: (header, userId, check) => guess(header, "password-change", userKey(userId), check),
    close: () => limiter.close(),
  };
}

/** The charges of an attempt by address: none when the caller, which is trusted, names no address. */
function chargesByAddress(action: string, times: number, address: string | undefined): Charge[] {
  return address === undefined ? [] : charges(`${action}:address`, times, address);
}

/**
 * The charges of an attempt by name: one for this address, and one for all addresses together. All callers without an address count
 * as one.
 */
function chargesByName(action: string, times: number, name: string, address = ""): Charge[] {
  return [
    ...charges(`${action}:name`, times, name, address),
    ...charges(`${action}:name-anywhere`, times * anywhereFactor, name),
  ];
}

/** The factor by which all addresses together may make more attempts for a name than one address. */
const anywhereFactor = 10;

/** The charge of a limit of `times` an hour; none for 0. */
function charges(limit: string, times: number, ...counted: string[]): Charge[] {
  return times === 0 ? [] : [{ limit, key: limitKey(...counted), rate: { times, seconds: 3_600 } }];
}

/** The key under which attempts for a user id are counted. It holds a blank, so it equals no user name and no e-mail address. */
function userKey(userId: bigint): string {
  return `user ${userId}`;
}

/** A short hash, so that Redis holds no names and no addresses, and all keys are equally long. */
function limitKey(...texts: string[]): string {
  // No slice of the text, which would keep the whole text in memory.
  return createHash("sha256").update(texts.join("\n")).digest().subarray(0, 16).toString("base64url");
}

/** The addresses from which users have signed in lately. */
interface KnownAddresses {
  has(key: string): Promise<boolean>;
  add(keys: readonly string[]): Promise<void>;
}

/** Milliseconds: 30 days, so that a user who signs in once a month stays known. */
const maxAge = 30 * 24 * 3_600 * 1_000;

/**
 * Stores them in Redis for all processes, and also in this one, in case Redis is unavailable, was emptied, or is not configured.
 */
function createKnownAddresses(redis: LimitsRedis | undefined): KnownAddresses {
  const local = createLru<true>(100_000, maxAge);
  return {
    async has(key) {
      if (local.has(key)) return true;
      const [found] = (await redis?.run("return {redis.call('EXISTS', KEYS[1])}", [redisKey(key)], [])) ?? [];
      return found === 1;
    },
    async add(keys) {
      for (const key of keys) local.set(key, true);
      await redis?.run(store, keys.map(redisKey), [maxAge]);
    },
  };
}

function redisKey(key: string): string {
  return `known:${key}`;
}

const store = "for _, key in ipairs(KEYS) do redis.call('SET', key, 1, 'PX', ARGV[1]) end return {}";
