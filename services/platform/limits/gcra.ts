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
 * `times` at once, then one more every `seconds / times` (generic cell rate algorithm), which needs one number for each key.
 * Around a first burst up to twice as many pass within the time.
 */
export const gcra: Counting = {
  createLocal(now = monotonicNow) {
    // For each key the moment at which everything taken is available again.
    const dueAt = createLru<number>(maxKeys);
    /** That moment, at most `seconds` from now: a later one was written before the clock was set back, and is corrected. */
    function lastOf(key: string, at: number, { seconds }: Rate): number {
      const last = dueAt.get(key) ?? at;
      const latest = at + seconds * 1_000;
      if (last > latest) dueAt.set(key, latest);
      return Math.min(Math.max(last, at), latest);
    }
    async function giveBack(charges: readonly Charge[]) {
      for (const charge of charges) {
        const key = chargeKey(charge);
        const due = (dueAt.get(key) ?? 0) - stepOf(charge.rate);
        if (due > now()) dueAt.set(key, due);
        else dueAt.delete(key);
      }
    }
    return {
      async take(charges) {
        const at = now();
        const taken = charges.map((charge) => {
          const key = chargeKey(charge);
          const due = lastOf(key, at, charge.rate) + stepOf(charge.rate);
          return { key, due, wait: Math.max(toSeconds(due - at - charge.rate.seconds * 1_000), 0) };
        });
        if (taken.every(({ wait }) => wait === 0)) for (const { key, due } of taken) dueAt.set(key, due);
        return { waits: taken.map(({ wait }) => wait), giveBack };
      },
    };
  },
  prefix: "limit",
  take: `${redisNow}
local dues, answer, refused = {}, {}, false
for i, key in ipairs(KEYS) do
  local times, span = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local last = tonumber(redis.call('GET', key)) or at
  if last > at + span then
    last = at + span
    redis.call('SET', key, string.format('%.0f', last), 'PX', span)
  end
  dues[i] = math.max(last, at) + math.ceil(span / times)
  answer[i] = math.max(dues[i] - at - span, 0)
  refused = refused or answer[i] > 0
end
if not refused then
  for i, key in ipairs(KEYS) do redis.call('SET', key, string.format('%.0f', dues[i]), 'PX', dues[i] - at) end
end
answer[#KEYS + 1] = at
return answer`,
  giveBack: `${redisNow}
for i, key in ipairs(KEYS) do
  local times, span = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local due = (tonumber(redis.call('GET', key)) or at) - math.ceil(span / times)
  if due > at then redis.call('SET', key, string.format('%.0f', due), 'PX', due - at) else redis.call('DEL', key) end
end
return {}`,
};

/** Milliseconds after which one more may be taken. */
function stepOf({ times, seconds }: Rate): number {
  return Math.ceil((seconds * 1_000) / times);
}
