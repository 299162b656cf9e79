import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import type { TokenMemory } from "../../gateway/cache/tokens/confirmed-tokens.ts";
import { createTokenReader } from "../../gateway/cache/tokens/freshness-tokens.ts";
import { deadlineAfter } from "../../gateway/http/limits/deadline.ts";
import { createLog } from "../../services/platform/log.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";

const counts = createCacheCounts(createRegistry());

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A token store in memory in place of Redis, and a service whose answers the test changes. */
export function openTokenReader(keepMs: number, freshnessMs = 1_000, memory?: TokenMemory) {
  const held = new Map<string, string>();
  const leases = new Map<string, string>();
  const state = {
    token: "t1",
    asked: 0,
    /** What the last question named as announced. */
    announced: undefined as readonly string[] | undefined,
    away: false,
    keepMs,
    tick: "p.1",
    known: new Set(["p.1"]),
    /** Until when the known ticks are recent. */
    recentUntil: Number.POSITIVE_INFINITY,
    answer: turn,
  };
  const guarded = <T>(action: () => T) => (state.away ? Promise.reject(new Error("away")) : Promise.resolve(action()));
  const confirmed = <V, T>(values: readonly V[], action: () => T[]) =>
    Promise.resolve(state.away ? values.map(() => undefined as T) : action());
  const tokenStore: LeasedValues = {
    read: (keys) => guarded(() => keys.map((key) => held.get(key))),
    lease: (keys) =>
      confirmed(keys, () =>
        keys.map((key) => {
          if (leases.has(key)) return undefined;
          leases.set(key, `lease ${key}`);
          return `lease ${key}`;
        }),
      ),
    fill: (values) =>
      confirmed(values, () =>
        values.map(({ key, lease, value }) => {
          const isStored = leases.get(key) === lease && leases.delete(key);
          if (isStored) held.set(key, value);
          return isStored;
        }),
      ),
    replace: (values, end) =>
      confirmed(values, () =>
        values.map(({ key, old, value }) => {
          const isStored = held.get(key) === old && end > performance.now();
          if (isStored) held.set(key, value);
          return isStored;
        }),
      ),
    raise: () => guarded(() => {}),
    drop: (keys) => guarded(() => keys.forEach((key) => void [held, leases].map((map) => map.delete(key)))),
  };
  const listTokens = async (keys: readonly string[], announced: readonly string[] | undefined) => {
    state.announced = announced;
    assert.ok(keys.length <= 2_000);
    state.asked += keys.length;
    const { token, keepMs, tick } = state;
    await state.answer();
    return { tokens: keys.map(() => token), keepMs, tick };
  };
  const log = createLog("test", "silent");
  const isRecent = (tick: string) => state.known.has(tick);
  const recentUntil = (tick: string) => (isRecent(tick) ? state.recentUntil : Number.NEGATIVE_INFINITY);
  const clock = { isRecent, recentUntil };
  const { tokensOf: lists } = createTokenReader({
    listTokens,
    of: "users",
    tokenStore,
    clock,
    freshnessMs,
    log,
    counts,
    memory,
  });
  const tokensOf = (keys: readonly string[]) => lists(keys).read(deadlineAfter(60_000));
  const read = async (key: string) => (await tokensOf([key]))[0];
  return { held, leases, state, tokenStore, read, tokensOf, lists };
}
