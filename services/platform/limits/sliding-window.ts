import { createLru } from "../lru.ts";
import {
  type Charge,
  type Counting,
  chargeKey,
  maxKeys,
  monotonicNow,
  type Rate,
  redisNow,
  toSeconds,
} from "./rate-limiter.ts";

/**
 * The number of parts of a window. Attempts are counted for each part, so an attempt is forgotten at most one part late, and a key has
 * at most one number more than there are parts.
 */
const parts = 60;

/** At most `times` in any span of `seconds`. */
export const slidingWindow: Counting = {
  createLocal(now = monotonicNow) {
    const keys = createLru<Counts>(maxKeys);
    function add(charge: Charge, at: number, more: number) {
      const counts = keys.get(chargeKey(charge)) ?? new Map();
      const part = Math.floor(at / lengthOf(charge.rate));
      keys.set(chargeKey(charge), counts.set(part, Math.max((counts.get(part) ?? 0) + more, 0)));
    }
    return {
      async take(charges) {
        const at = now();
        const waits = charges.map((charge) => toSeconds(waitOf(keys.get(chargeKey(charge)), charge.rate, at)));
        if (waits.every((wait) => wait === 0)) for (const charge of charges) add(charge, at, 1);
        return {
          waits,
          async giveBack(charges) {
            for (const charge of charges) add(charge, at, -1);
          },
        };
      },
    };
  },
  prefix: "window",
  take: `${redisNow}
local answer, refused = {}, false
for i, key in ipairs(KEYS) do
  local times, length = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i]) / ${parts}
  local fields, held, total = redis.call('HGETALL', key), {}, 0
  for j = 1, #fields, 2 do
    local part, count = tonumber(fields[j]), tonumber(fields[j + 1])
    if part < math.floor(at / length) - ${parts} then
      redis.call('HDEL', key, fields[j])
    else
      held[#held + 1] = {part, count}
      total = total + count
    end
  end
  table.sort(held, function(a, b) return a[1] < b[1] end)
  answer[i] = 0
  for _, each in ipairs(held) do
    if total < times then break end
    total = total - each[2]
    answer[i] = math.ceil((each[1] + ${parts} + 1) * length - at)
  end
  refused = refused or answer[i] > 0
end
if not refused then
  for i, key in ipairs(KEYS) do
    local span = tonumber(ARGV[2 * i])
    redis.call('HINCRBY', key, string.format('%.0f', math.floor(at / (span / ${parts}))), 1)
    redis.call('PEXPIRE', key, math.ceil(span + span / ${parts}))
  end
end
answer[#KEYS + 1] = at
return answer`,
  giveBack: `
local at = tonumber(ARGV[#ARGV])
for i, key in ipairs(KEYS) do
  local part = string.format('%.0f', math.floor(at / (tonumber(ARGV[2 * i]) / ${parts})))
  if redis.call('HEXISTS', key, part) == 1 and redis.call('HINCRBY', key, part, -1) <= 0 then redis.call('HDEL', key, part) end
end
return {}`,
};

/** How many were taken in each part; parts are numbered since 1970. */
type Counts = Map<number, number>;

/** Milliseconds until one more may be taken. Removes the parts that no longer count. */
function waitOf(counts: Counts | undefined, rate: Rate, at: number): number {
  if (counts === undefined) return 0;
  const length = lengthOf(rate);
  for (const part of counts.keys()) if (part < Math.floor(at / length) - parts) counts.delete(part);
  let total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let wait = 0;
  // After the clock was set back the parts are in another order.
  for (const [part, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    if (total < rate.times) break;
    total -= count;
    wait = (part + parts + 1) * length - at;
  }
  return wait;
}

/** Milliseconds of a part. */
function lengthOf({ seconds }: Rate): number {
  return (seconds * 1_000) / parts;
}
