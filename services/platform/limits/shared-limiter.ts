import type { LimitsRedis } from "./limits-redis.ts";
import { type Charge, pace, type RateLimiter, toSeconds } from "./rate-limiter.ts";

/**
 * A rate limiter that all processes on one Redis have together; while that is away, each counts alone. What was let
 * through here is counted here as well, so that a Redis that goes away gives no client a new start.
 */
export function createSharedLimiter(redis: LimitsRedis, local: RateLimiter): RateLimiter {
  return {
    async take(charges) {
      const waits = await redis.run(take, charges.map(redisKey), charges.flatMap(redisRate));
      const shared = waits?.map(toSeconds);
      if (shared?.some((wait) => wait > 0)) return shared;
      const alone = await local.take(charges);
      return shared ?? alone;
    },
    async giveBack(charges) {
      await local.giveBack(charges);
      await redis.run(giveBack, charges.map(redisKey), charges.flatMap(redisRate));
    },
  };
}

function redisKey({ limit, key }: Charge): string {
  return `limit:${limit}:${key}`;
}

function redisRate({ rate }: Charge): number[] {
  const { step, span } = pace(rate);
  return [step, span];
}

const now = `
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)
local function store(key, due)
  if due > at then redis.call('SET', key, string.format('%.0f', due), 'PX', due - at) else redis.call('DEL', key) end
end`;

/** As in the local limiter, by the clock of Redis, and in one step. Returns milliseconds to wait for each key. */
const take = `${now}
local dues, waits, refused = {}, {}, false
for i, key in ipairs(KEYS) do
  dues[i] = math.max(tonumber(redis.call('GET', key)) or at, at) + tonumber(ARGV[2 * i - 1])
  waits[i] = math.max(dues[i] - at - tonumber(ARGV[2 * i]), 0)
  refused = refused or waits[i] > 0
end
if not refused then
  for i, key in ipairs(KEYS) do store(key, dues[i]) end
end
return waits`;

const giveBack = `${now}
for i, key in ipairs(KEYS) do
  local due = tonumber(redis.call('GET', key))
  if due then store(key, due - tonumber(ARGV[2 * i - 1])) end
end
return {}`;
