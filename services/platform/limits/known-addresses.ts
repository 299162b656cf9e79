import { createLru } from "../lru.ts";
import type { LimitsRedis } from "./limits-redis.ts";

/** The addresses from which users have signed in lately. */
export interface KnownAddresses {
  has(key: string): Promise<boolean>;
  add(keys: readonly string[]): Promise<void>;
}

/** Milliseconds: 30 days, so that a user who signs in once a month stays known. */
const maxAge = 30 * 24 * 3_600 * 1_000;

/**
 * Stores them in Redis for all processes, and also in this one, in case Redis is unavailable, was emptied, or is not configured.
 */
export function createKnownAddresses(redis: LimitsRedis | undefined): KnownAddresses {
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
