import { randomBytes } from "node:crypto";
import { chunk } from "../chunk.ts";
import { maxGroups } from "./client.ts";
import type { RedisConnection } from "./connection.ts";
import { stateOrder } from "./state-order.ts";

/**
 * Values in Redis with a short lifetime, which their writer can drop at once (design §5). A process takes a lease before it asks
 * the source for a value. Only the holder of a lease that has not ended may store the value, for the rest of the lease's time.
 * Dropping a value ends its lease, so that a value read before the drop cannot be stored after it. Replacing a stored value by a
 * newer one needs no lease, since a drop deletes the old value.
 */
export interface LeasedValues {
  /** The value of each key; undefined where there is none. */
  read(keys: readonly string[]): Promise<(string | undefined)[]>;
  /** Takes the lease of each key for `ms` milliseconds and gives its id; undefined where another process holds it. */
  lease(keys: readonly string[], ms: number): Promise<(string | undefined)[]>;
  /** Stores values where their leases have not ended, or newer ones that were raised meanwhile; then ends the leases. */
  fill(values: readonly { key: string; lease: string; value: string }[]): Promise<void>;
  /**
   * Replaces each value that still equals `old` and whose state is not newer, until `end`, by performance.now(). The new ones have to be read
   * from the source after `old` was stored. Resolves with whether each was replaced.
   */
  replace(values: readonly { key: string; old: string; value: string }[], end: number): Promise<boolean[]>;
  /**
   * Notes states that the source itself has shown to readers. Once it has resolved, no process reads an older state of the same
   * subject here, and none can be stored under a lease that has not ended.
   */
  raise(states: readonly { key: string; state: string }[]): Promise<void>;
  /** Deletes values and leases. Once it has resolved, nothing that was read before can be stored again. */
  drop(keys: readonly string[]): Promise<void>;
}

/** Leased values in one Redis. Every method rejects with RedisUnavailable when Redis does not confirm it in time. */
export function createLeasedValues(connection: RedisConnection): LeasedValues {
  return {
    read: async (keys) => (await connection.readAll(keys)).map((text) => text ?? undefined),
    async lease(keys, ms) {
      const wanted = keys.map((key) => ({ key, id: `${holder}.${++leases}` }));
      const taken = await connection.evalAll(
        leaseScript,
        wanted.map(({ key, id }) => ({ keys: [leaseKey(key)], arguments: [id, `${ms}`] })),
      );
      return wanted.map(({ id }, index) => (taken[index] === 1 ? id : undefined));
    },
    async fill(values) {
      await connection.evalAll(
        fillScript,
        values.map(({ key, lease, value }) => ({ keys: [key, leaseKey(key)], arguments: [lease, value] })),
      );
    },
    async replace(values, end) {
      const stored: boolean[] = [];
      // One call for each part, since the time that is left gets shorter from one to the next.
      for (const part of chunk(values, maxGroups)) {
        const ms = Math.floor(end - performance.now());
        const groups = part.map(({ key, old, value }) => ({ keys: [key], arguments: [old, value, `${ms}`] }));
        const results = ms > 0 ? await connection.evalAll(replaceScript, groups) : [];
        stored.push(...part.map((_, index) => results[index] === 1));
      }
      return stored;
    },
    async raise(states) {
      await connection.evalAll(
        raiseScript,
        states.map(({ key, state }) => ({ keys: [key, leaseKey(key)], arguments: [state] })),
      );
    },
    async drop(keys) {
      // Value and lease in one step: between two steps a value could be stored.
      await connection.deleteAll(keys.map((key) => [leaseKey(key), key]));
    },
  };
}

/** The first part of each lease, which makes it unique to this process; a number follows. */
const holder = randomBytes(12).toString("base64url");
let leases = 0;

function leaseKey(key: string): string {
  return `${key}:lease`;
}

// Scripts for many values at once: a command for each would cost this process more than all its other work for them.
const leaseScript = `
local taken = {}
for at = 1, #KEYS do
  taken[at] = redis.call('SET', KEYS[at], ARGV[2 * at - 1], 'NX', 'PX', ARGV[2 * at]) and 1 or 0
end
return taken`;

// One step, so that no drop can come between the check and the write. A newer state than the holder's own was also read after the
// lease was taken, so it may be stored for as long.
const fillScript = `${stateOrder}
for at = 1, #KEYS, 2 do
  local stored, lease = redis.call('GET', KEYS[at]), redis.call('GET', KEYS[at + 1])
  local holder, floor = string.match(lease or '', '^([^ ]*) ?(.*)$')
  if lease and holder == ARGV[at] then
    local value = ARGV[at + 1]
    local state, left = stateOf(value), redis.call('PTTL', KEYS[at + 1])
    if stored then state = newest(state, stateOf(stored)) end
    if state and floor ~= '' then state = newest(state, floor) end
    if not state then redis.call('DEL', KEYS[at])
    elseif left > 0 then redis.call('SET', KEYS[at], withState(value, state), 'PX', left) end
    redis.call('DEL', KEYS[at + 1])
  end
end
return {}`;

// After a drop of a newer state the old value cannot come back, and the same state may be stored again at any time. States that cannot be
// compared, such as those of a name that was unknown, may come back: they are stored under a lease only.
const replaceScript = `${stateOrder}
local stored = {}
for at = 1, #KEYS do
  local old, value, ms = ARGV[3 * at - 2], ARGV[3 * at - 1], ARGV[3 * at]
  local state = stateOf(value)
  local isStored = redis.call('GET', KEYS[at]) == old and newest(state, stateOf(old)) == state
  if isStored then redis.call('SET', KEYS[at], value, 'PX', ms) end
  stored[at] = isStored and 1 or 0
end
return stored`;

// A stored value keeps its expiry: it was read before the newer state, so it ends no later than the new state may. A lease gets
// the state as its lower bound, after a blank. Where it is unknown which state is newer, value and lease are deleted.
const raiseScript = `${stateOrder}
for at = 1, #KEYS, 2 do
  local state = ARGV[(at + 1) / 2]
  local stored, lease = redis.call('GET', KEYS[at]), redis.call('GET', KEYS[at + 1])
  local holder, floor = string.match(lease or '', '^([^ ]*) ?(.*)$')
  local newestStored, newestFloor = state, state
  if stored then newestStored = newest(state, stateOf(stored)) end
  if floor ~= '' then newestFloor = newest(state, floor) end
  if not newestStored or not newestFloor then redis.call('DEL', KEYS[at], KEYS[at + 1])
  else
    if stored and newestStored ~= stateOf(stored) then
      redis.call('SET', KEYS[at], withState(stored, newestStored), 'KEEPTTL')
    end
    if lease and newestFloor ~= floor then
      redis.call('SET', KEYS[at + 1], holder .. ' ' .. newestFloor, 'KEEPTTL')
    end
  end
end
return {}`;
