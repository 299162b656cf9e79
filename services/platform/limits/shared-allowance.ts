import { type Allowance, pace, type Rate, toSeconds } from "./allowance.ts";
import type { LimitsRedis } from "./limits-redis.ts";

/**
 * An allowance that all processes on one Redis count together; while that is away, each counts alone. What was let through
 * here is counted here as well, so that a Redis that goes away gives nobody a new start.
 * @param name tells this allowance from others on the same Redis
 */
export function createSharedAllowance(redis: LimitsRedis, local: Allowance, name: string, rate: Rate): Allowance {
  const { step, span } = pace(rate);
  return {
    async take(key) {
      const wait = await redis.run(take, `limit:${name}:${key}`, step, span);
      if (wait !== undefined && wait > 0) return toSeconds(wait);
      const alone = await local.take(key);
      return wait === undefined ? alone : 0;
    },
  };
}

/** As in the local allowance, by the clock of Redis. Returns milliseconds to wait. */
const take = `
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)
local due = math.max(tonumber(redis.call('GET', KEYS[1])) or at, at) + tonumber(ARGV[1])
local wait = due - at - tonumber(ARGV[2])
if wait > 0 then return wait end
redis.call('SET', KEYS[1], string.format('%.0f', due), 'PX', due - at)
return 0`;
