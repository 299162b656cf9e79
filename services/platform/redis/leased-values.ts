import { randomBytes } from "node:crypto";
import { chunk } from "../chunk.ts";
import { type KeyGroup, maxGroups } from "./client.ts";
import { type RedisConnection, RedisUnavailable } from "./connection.ts";
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
  /** Takes the lease of each key for `ms` milliseconds and gives its id; undefined where another process holds it, or Redis did not confirm. Never rejects. */
  lease(keys: readonly string[], ms: number): Promise<(string | undefined)[]>;
  /**
   * Stores values where their leases have not ended, or newer ones that were raised meanwhile; then ends the leases. Resolves with whether
   * each was stored; false where Redis did not confirm. Never rejects.
   */
  fill(values: readonly { key: string; lease: string; value: string }[]): Promise<boolean[]>;
  /**
   * Replaces each value that still equals `old` and whose state is not newer. The new ones have to be read from the source after `old` was stored.
   * Resolves with whether each was replaced; false where Redis did not confirm. Never rejects.
   * @param end until when they may be stored, by performance.now()
   */
  replace(values: readonly Replacement[], end: number): Promise<boolean[]>;
  /**
   * Notes states that the source itself has shown to readers. Once it has resolved, no process reads an older state of the same
   * subject here, and none can be stored under a lease that has not ended.
   */
  raise(states: readonly { key: string; state: string }[]): Promise<void>;
  /** Deletes values and leases. Once it has resolved, nothing that was read before can be stored again. */
  drop(keys: readonly string[]): Promise<void>;
}

/** A value in place of an older one. */
export interface Replacement {
  key: string;
  old: string;
  value: string;
  /** Milliseconds by which it may be stored longer than the old one. */
  laterMs: number;
}

/** Leased values in one Redis. Where nothing else is said, methods reject with RedisUnavailable when Redis does not confirm in time. */
export function createLeasedValues(connection: RedisConnection): LeasedValues {
  /**
   * Runs a script for each value, in parts one after the other, so that Redis answers others in between. Returns for which values it
   * returned 1: it ends at the first part that Redis does not confirm, and begins none after `end`, by performance.now().
   */
  async function runInParts<V>(
    script: string,
    values: readonly V[],
    groupOf: (value: V) => KeyGroup,
    end = Number.POSITIVE_INFINITY,
  ): Promise<boolean[]> {
    const results: unknown[] = [];
    for (const part of chunk(values, maxGroups)) {
      if (performance.now() >= end) break;
      const found = await connection.evalAll(script, part.map(groupOf)).catch(() => undefined);
      if (found === undefined) break;
      results.push(...found);
    }
    return values.map((_, index) => results[index] === 1);
  }

  /** Requests wait for some calls, however many parts these have. */
  const endOfWait = () => performance.now() + 2 * connection.timeoutMs;

  return {
    read: async (keys) => (await connection.readAll(keys)).map((text) => text ?? undefined),
    async lease(keys, ms) {
      const wanted = keys.map((key) => ({ key, id: `${holder}.${++leases}` }));
      const groupOf = ({ key, id }: { key: string; id: string }) => ({
        keys: [leaseKey(key)],
        arguments: [id, `${ms}`],
      });
      const taken = await runInParts(leaseScript, wanted, groupOf, endOfWait());
      return wanted.map(({ id }, index) => (taken[index] ? id : undefined));
    },
    fill: (values) =>
      runInParts(fillScript, values, ({ key, lease, value }) => ({
        keys: [key, leaseKey(key)],
        arguments: [lease, value],
      })),
    replace(values, end) {
      const groupOf = ({ key, old, value, laterMs }: Replacement) => ({
        keys: [key],
        arguments: [old, value, `${laterMs}`, `${Math.ceil(end - performance.now())}`],
      });
      return runInParts(replaceScript, values, groupOf, end);
    },
    async raise(states) {
      const groupOf = ({ key, state }: { key: string; state: string }) => ({
        keys: [key, leaseKey(key)],
        arguments: [state],
      });
      const raised = await runInParts(raiseScript, states, groupOf, endOfWait());
      if (raised.includes(false)) throw new RedisUnavailable("Redis did not confirm all states");
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
local results = {}
for at = 1, #KEYS, 2 do
  local isStored = false
  local stored, lease = redis.call('GET', KEYS[at]), redis.call('GET', KEYS[at + 1])
  local holder, floor = string.match(lease or '', '^([^ ]*) ?(.*)$')
  if lease and holder == ARGV[at] then
    local value = ARGV[at + 1]
    local state, left = stateOf(value), redis.call('PTTL', KEYS[at + 1])
    if stored then state = newest(state, stateOf(stored)) end
    if state and floor ~= '' then state = newest(state, floor) end
    if not state then redis.call('DEL', KEYS[at])
    elseif left > 0 then
      redis.call('SET', KEYS[at], withState(value, state), 'PX', left)
      isStored = true
    end
    redis.call('DEL', KEYS[at + 1])
  end
  results[(at + 1) / 2] = isStored and 1 or 0
end
return results`;

// After a drop of a newer state the old value cannot come back, and the same state may be stored again at any time. States that cannot be
// compared, such as those of a name that was unknown, may come back: they are stored under a lease only. The end follows from that of the old
// value, so that a script that Redis runs late stores nothing for longer.
const replaceScript = `${stateOrder}
local results = {}
for at = 1, #KEYS do
  local old, value, laterMs, mostMs = unpack(ARGV, 4 * at - 3, 4 * at)
  local state = stateOf(value)
  local isStored = redis.call('GET', KEYS[at]) == old and newest(state, stateOf(old)) == state
  if isStored then
    local ms = math.min(redis.call('PTTL', KEYS[at]) + laterMs, mostMs)
    -- In its last millisecond; Redis refuses 0.
    redis.call('SET', KEYS[at], value, 'PX', math.max(ms, 1))
  end
  results[at] = isStored and 1 or 0
end
return results`;

// A stored value keeps its expiry: it was read before the newer state, so it ends no later than the new state may. A lease gets
// the state as its lower bound, after a blank. Where it is unknown which state is newer, value and lease are deleted.
const raiseScript = `${stateOrder}
local results = {}
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
  results[(at + 1) / 2] = 1
end
return results`;
