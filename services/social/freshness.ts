import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../platform/log.ts";
import { connectRedis } from "../platform/redis/connection.ts";
import { freshnessKey } from "../platform/redis/freshness-key.ts";
import { createLeasedValues, type LeasedValues } from "../platform/redis/leased-values.ts";
import type { SocialConfig } from "./config.ts";
import type { Subject } from "./domain/subjects.ts";

/** What readers keep of this service's users, and how a write takes it away from them. */
export interface Freshness {
  /** For how many milliseconds readers may keep a token; 0: not at all. */
  keepMs: number;
  /**
   * To be awaited between the commit of a write and its answer: when it has resolved, no reader takes an earlier token of
   * these subjects for the present one.
   */
  announce(subjects: readonly Subject[]): Promise<void>;
  close(): void;
}

/** Freshness by the Redis that the configuration names; without one nobody may keep anything, and nothing is to be done. */
export function createFreshness(config: SocialConfig, log: Log): Freshness {
  if (config.redisUrls.length === 0) return { keepMs: 0, announce: async () => {}, close() {} };
  const redis = connectRedis(config.redisUrls, "roost-social", log, config.redisTimeoutMs);
  return { ...dropTokens(createLeasedValues(redis), config.freshnessMs), close: () => redis.close() };
}

/**
 * Drops the tokens of changed users. Where that is not confirmed the writer waits until every token and every lease from
 * before the commit has ended by itself.
 */
export function dropTokens(tokens: Pick<LeasedValues, "drop">, keepMs: number): Omit<Freshness, "close"> {
  return {
    keepMs,
    async announce(subjects) {
      const keys = [...new Set(subjects.map(({ screenName }) => freshnessKey(screenName.toLowerCase())))];
      if (keys.length === 0) return;
      await tokens.drop(keys).catch(() => sleep(keepMs * clockMargin));
    },
  };
}

/** Two clocks measure the same time: Redis's and ours. */
const clockMargin = 1.05;
