import { tooManyRequests } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Counters } from "../metrics/instruments.ts";
import type { LimitsRedisSettings } from "../redis/settings.ts";
import { connectLimitsRedis, type LimitsRedis } from "./limits-redis.ts";
import { type Charge, type Counting, chargeKey, type RateLimiter, type Taken, toSeconds } from "./rate-limiter.ts";

/** Counts attempts against limits, in Redis or in this process alone, and refuses those over a limit. */
export interface RefusingLimiter {
  /** The Redis in which it counts together with others; undefined when it counts alone. */
  redis: LimitsRedis | undefined;
  /** Takes all charges, or none. @throws ResourceExhausted with the seconds to wait */
  take(charges: readonly Charge[]): Promise<Pick<Taken, "giveBack">>;
  close(): void;
}

/**
 * @param limits the names of all limits, so that metrics show each from the start
 * @param refusals counts the refused attempts by limit
 */
export function createRefusingLimiter(
  { redisUrl, redisTimeoutMs }: LimitsRedisSettings,
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

/**
 * A rate limiter that all processes on one Redis share; while Redis is unavailable, each counts alone. Each process also counts what it
 * let through, so that clients cannot start anew when Redis becomes unavailable or has lost its counts.
 */
export function createSharedLimiter(redis: LimitsRedis, counting: Counting, local: RateLimiter): RateLimiter {
  const keysOf = (charges: readonly Charge[]) => charges.map((charge) => `${counting.prefix}:${chargeKey(charge)}`);
  return {
    async take(charges) {
      const sent = redis.send(counting.take, keysOf(charges), charges.flatMap(redisRate));
      const answer = await sent?.inTime;
      const shared = answer?.slice(0, -1).map(toSeconds) ?? [];
      if (shared.some((wait) => wait > 0)) return { waits: shared, giveBack: async () => {} };
      const alone = await local.take(charges);
      const giveBackTaken = async (charges: readonly Charge[], taken: readonly number[] | undefined) => {
        const at = taken?.at(-1);
        if (at === undefined || taken?.slice(0, -1).some((wait) => wait > 0)) return;
        await redis.sendAlways(counting.giveBack, keysOf(charges), [...charges.flatMap(redisRate), at])?.inTime;
      };
      const giveBackShared = async (charges: readonly Charge[]) => {
        if (answer !== undefined) return giveBackTaken(charges, answer);
        // Redis may have taken them after the time-out, and its answer is not waited for.
        void sent?.ever.then((late) => giveBackTaken(charges, late));
      };
      if (alone.waits.some((wait) => wait > 0)) {
        await giveBackShared(charges);
        return alone;
      }
      return {
        waits: alone.waits,
        async giveBack(charges) {
          await alone.giveBack(charges);
          await giveBackShared(charges);
        },
      };
    },
  };
}

function redisRate({ rate }: Charge): number[] {
  return [rate.times, rate.seconds * 1_000];
}
