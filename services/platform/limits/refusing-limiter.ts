import { tooManyRequests } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Counters } from "../metrics/counters.ts";
import { connectLimitsRedis, type LimitsRedis } from "./limits-redis.ts";
import type { Charge, Counting, Taken } from "./rate-limiter.ts";
import { createSharedLimiter } from "./shared-limiter.ts";

/** Counts attempts against limits, in Redis or in this process alone, and refuses those over a limit. */
export interface RefusingLimiter {
  /** The Redis in which it counts together with others; undefined when it counts alone. */
  redis: LimitsRedis | undefined;
  /** Takes all charges, or none. @throws ResourceExhausted with the seconds to wait */
  take(charges: readonly Charge[]): Promise<Pick<Taken, "giveBack">>;
  close(): void;
}

export interface RefusingLimiterOptions {
  /** The Redis in which processes count together; undefined: each counts alone. */
  redisUrl: string | undefined;
  redisTimeoutMs: number;
}

/**
 * @param limits the names of all limits, so that metrics show each from the start
 * @param refusals counts the refused attempts by limit
 */
export function createRefusingLimiter(
  { redisUrl, redisTimeoutMs }: RefusingLimiterOptions,
  counting: Counting,
  limits: readonly string[],
  log: Log,
  refusals: Counters,
): RefusingLimiter {
  for (const limit of limits) refusals.of(limit);
  const redis = redisUrl === undefined ? undefined : connectLimitsRedis(redisUrl, log, redisTimeoutMs);
  const local = counting.createLocal();
  const limiter = redis === undefined ? local : createSharedLimiter(redis, counting, local);
  return {
    redis,
    async take(charges) {
      const { waits, giveBack } = await limiter.take(charges);
      for (const [index, { limit }] of charges.entries()) if (waits[index] !== 0) refusals.of(limit).value++;
      const wait = Math.max(0, ...waits);
      if (wait > 0) throw tooManyRequests(wait);
      return { giveBack };
    },
    close: () => redis?.close(),
  };
}
