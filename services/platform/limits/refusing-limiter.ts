import { tooManyRequests } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Counters } from "../metrics/counters.ts";
import { connectLimitsRedis, type LimitsRedis } from "./limits-redis.ts";
import { createLocalLimiter } from "./local-limiter.ts";
import type { Charge } from "./rate-limiter.ts";
import { createSharedLimiter } from "./shared-limiter.ts";

/** Counts attempts against limits, in Redis or alone, and refuses those that are over one. */
export interface RefusingLimiter {
  /** Where it counts together with others; undefined: alone. */
  redis: LimitsRedis | undefined;
  /** Takes all charges, or none. @throws ResourceExhausted with the seconds to wait */
  take(charges: readonly Charge[]): Promise<void>;
  /** Gives back what was taken, as if it had not been. */
  giveBack(charges: readonly Charge[]): Promise<void>;
  close(): void;
}

export interface RefusingLimiterOptions {
  /** Where the processes count together; undefined: each alone. */
  redisUrl: string | undefined;
  redisTimeoutMs: number;
}

/**
 * @param limits the names of all limits, for metrics, which show each from the start
 * @param refusals counts by limit who was refused
 */
export function createRefusingLimiter(
  { redisUrl, redisTimeoutMs }: RefusingLimiterOptions,
  limits: readonly string[],
  log: Log,
  refusals: Counters,
): RefusingLimiter {
  for (const limit of limits) refusals.of(limit);
  const redis = redisUrl === undefined ? undefined : connectLimitsRedis(redisUrl, log, redisTimeoutMs);
  const local = createLocalLimiter();
  const limiter = redis === undefined ? local : createSharedLimiter(redis, local);
  return {
    redis,
    async take(charges) {
      const waits = await limiter.take(charges);
      for (const [index, { limit }] of charges.entries()) if (waits[index] !== 0) refusals.of(limit).value++;
      const wait = Math.max(0, ...waits);
      if (wait > 0) throw tooManyRequests(wait);
    },
    giveBack: (charges) => limiter.giveBack(charges),
    close: () => redis?.close(),
  };
}
