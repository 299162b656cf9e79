import type { LimitsRedis } from "./limits-redis.ts";
import { type Charge, type Counting, chargeKey, type RateLimiter, toSeconds } from "./rate-limiter.ts";

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
