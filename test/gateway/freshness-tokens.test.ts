import { setTimeout as sleep } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import type { TokenMemory } from "../../gateway/cache/tokens/confirmed-tokens.ts";
import { createTokenReader } from "../../gateway/cache/tokens/freshness-tokens.ts";
import { createRememberedTokens } from "../../gateway/cache/tokens/remembered-tokens.ts";
import { deadlineAfter } from "../../gateway/http/limits/deadline.ts";
import { createLog } from "../../services/platform/log.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import { eventually } from "../support/eventually.ts";

const Tokens = suite("freshness tokens");
const counts = createCacheCounts(createRegistry());

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A token store in memory in place of Redis, and a service whose answers the test changes. */
function open(keepMs: number, freshnessMs = 1_000, memory?: TokenMemory) {
  const held = new Map<string, string>();
  const leases = new Map<string, string>();
  const state = { token: "t1", asked: 0, away: false, keepMs, tick: "p.1", known: new Set(["p.1"]) };
  const guarded = <T>(action: () => T) => (state.away ? Promise.reject(new Error("away")) : Promise.resolve(action()));
  const tokenStore: LeasedValues = {
    read: (keys) => guarded(() => keys.map((key) => held.get(key))),
    lease: (keys) =>
      guarded(() =>
        keys.map((key) => {
          if (leases.has(key)) return undefined;
          leases.set(key, `lease ${key}`);
          return { id: `lease ${key}`, isOverValue: held.has(key) };
        }),
      ),
    fill: (values) =>
      guarded(() => {
        for (const { key, lease, value } of values) {
          if (leases.get(key) === lease && leases.delete(key)) held.set(key, value);
        }
      }),
    replace: (values) =>
      guarded(() =>
        values.map(({ key, old, value }) => {
          const isStored = held.get(key) === old;
          if (isStored) held.set(key, value);
          return isStored;
        }),
      ),
    raise: () => guarded(() => {}),
    drop: (keys) => guarded(() => keys.forEach((key) => void [held, leases].map((map) => map.delete(key)))),
  };
  const listTokens = async (keys: readonly string[]) => {
    assert.ok(keys.length <= 2_000);
    state.asked += keys.length;
    const { token, keepMs, tick } = state;
    await turn();
    return { tokens: keys.map(() => token), keepMs, tick };
  };
  const log = createLog("test", "silent");
  const isRecent = (tick: string) => state.known.has(tick);
  const recentUntil = (tick: string) => (isRecent(tick) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
  const clock = { isRecent, recentUntil };
  const { tokensOf: reader } = createTokenReader({
    listTokens,
    of: "users",
    tokenStore,
    clock,
    freshnessMs,
    log,
    counts,
    memory,
  });
  const tokensOf = (keys: readonly string[]) => reader(keys, deadlineAfter(60_000));
  const read = async (key: string) => (await tokensOf([key]))[0];
  return { held, leases, state, tokenStore, read, tokensOf };
}
const annKey = freshnessKey("ann");

Tokens("stores a token that it has asked for under a lease, and then does not ask again", async () => {
  const { read, state, held, leases } = open(1_000);
  assert.is(await read("ann"), "t1");
  assert.is(await read("ann"), "t1");
  await sleep(5);
  assert.equal([...held, ...leases], [[annKey, "p.1 t1"]]);
  const { asked } = state;
  assert.is(await read("ann"), "t1");
  assert.is(state.asked, asked);
});

Tokens("stores no token under a lease that a writer has dropped", async () => {
  const { read, state, held, leases, tokenStore } = open(1_000);
  await read("bea");
  const reading = read("ann");
  while (!leases.has(annKey)) await turn();
  state.token = "t2";
  await tokenStore.drop([annKey]);
  await reading;
  await sleep(5);
  assert.not.ok(held.has(annKey));
});

Tokens("asks the service and stores nothing while another gateway has the lease", async () => {
  const { read, state, held, leases } = open(1_000);
  await read("bea");
  leases.set(annKey, "lease of another");
  state.token = "t3";
  assert.is(await read("ann"), "t3");
  await sleep(5);
  assert.equal([held.has(annKey), leases.get(annKey)], [false, "lease of another"]);
});

Tokens("refreshes a token before it expires while it is read, and three times after that", async () => {
  const { read, state, held } = open(300, 300);
  await read("ann");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
  const { asked } = state;
  state.token = "t2";
  assert.equal([await read("ann"), state.asked], ["t1", asked]);
  await eventually("it is refreshed", async () => held.get(annKey) === "p.1 t2");
  assert.equal([await read("ann"), state.asked], ["t2", asked + 1]);
  // Without further reads:
  await eventually("it is refreshed three times more", async () => state.asked === asked + 4);
  await sleep(500);
  assert.is(state.asked, asked + 4);
});

Tokens("does not refresh a token that was asked for once, but three times when it had to be stored again", async () => {
  const { read, state, held } = open(300, 300);
  const isStored = async () => held.has(annKey);
  await read("bea");
  await read("ann");
  await eventually("the token is stored", isStored);
  let { asked } = state;
  await sleep(500);
  assert.is(state.asked, asked);
  held.clear();
  await read("ann");
  await eventually("the token is stored again", isStored);
  ({ asked } = state);
  await eventually("it is refreshed three times", async () => state.asked === asked + 3);
  await sleep(500);
  assert.is(state.asked, asked + 3);
});

Tokens("tries to take one lease at a time for a key, however many readers there are", async () => {
  const { read, tokenStore, held } = open(1_000);
  await read("bea");
  let tries = 0;
  const { lease } = tokenStore;
  tokenStore.lease = async (keys, ms) => {
    tries += keys.length;
    return lease(keys, ms);
  };
  const reads = [read("ann")];
  for (let index = 0; index < 5; index++) {
    await turn();
    reads.push(read("ann"));
  }
  assert.equal(new Set(await Promise.all(reads)), new Set(["t1"]));
  assert.is(tries, 1);
  await sleep(5);
  assert.is(held.get(annKey), "p.1 t1");
  // The lease has ended: after a drop the next reader takes it again.
  await tokenStore.drop([annKey]);
  await read("ann");
  assert.is(tries, 2);
});

Tokens("stores nothing by a refresh during which a writer dropped the token", async () => {
  const { read, tokenStore, held, state } = open(100, 100);
  await read("ann");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
  const { asked } = state;
  for (let turns = 0; state.asked === asked && turns < 1_000_000; turns++) await turn();
  state.token = "t2";
  await tokenStore.drop([annKey]);
  await sleep(10);
  assert.is.not(held.get(annKey), "p.1 t1");
  assert.is(await read("ann"), "t2");
});

Tokens("has remembered tokens confirmed by few commands, each for all requests that wait", async () => {
  let confirmed = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const confirm = async () => {
    await answered;
    confirmed++;
  };
  const redis = { reportsChanges: () => true, confirm };
  const { read, held, tokenStore, state } = open(1_000, 1_000, {
    tokens: createRememberedTokens(60_000),
    maxAgeMs: 0,
    redis,
  });
  await read("ann");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
  await read("ann");
  let commands = 0;
  const stored = tokenStore.read;
  tokenStore.read = (keys) => {
    commands++;
    return stored(keys);
  };
  const reads: Promise<string | undefined>[] = [];
  for (let turns = 0; turns < 10; turns++) {
    reads.push(...Array.from({ length: 20 }, () => read("ann")));
    await turn();
  }
  answer();
  assert.equal(new Set(await Promise.all(reads)), new Set(["t1"]));
  assert.equal([confirmed, commands], [3, 0], "two, and one for those that came in the meantime");
  state.token = "t2";
  // A batch that reads other tokens confirms as well.
  const both = [read("ann"), read("bea")];
  assert.equal(await Promise.all(both), ["t1", "t2"]);
  assert.equal([confirmed, commands], [3, 1]);
});

Tokens("remembers its own tokens for their whole life, and those of another process for a moment", async () => {
  const redis = { reportsChanges: () => true, confirm: async () => {} };
  const memory = { tokens: createRememberedTokens(60_000), maxAgeMs: 50, redis };
  const { read, held, tokenStore } = open(60_000, 60_000, memory);
  await read("bea");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
  held.set(freshnessKey("bob"), "p.1 b1");
  const sent: string[] = [];
  const stored = tokenStore.read;
  tokenStore.read = (keys) => {
    sent.push(...keys);
    return stored(keys);
  };
  for (const key of ["ann", "bob"]) await read(key);
  assert.equal(sent.splice(0), [annKey, freshnessKey("bob")]);
  await sleep(60);
  for (const key of ["ann", "bob"]) await read(key);
  assert.equal(sent, [freshnessKey("bob")]);
});

Tokens("asks for any number of names, in lists no longer than the service accepts", async () => {
  const { tokensOf, held } = open(1_000);
  const names = Array.from({ length: 25_000 }, (_, index) => `n${index}`);
  for (const expected of [0, names.length]) {
    const tokens = await tokensOf(names);
    assert.equal([tokens.length, new Set(tokens)], [names.length, new Set(["t1"])]);
    await eventually("the tokens are stored", async () => held.size === expected);
  }
});

Tokens("takes no lease while the social service drops no tokens, or for less than their lifetime", async () => {
  for (const keepMs of [0, 999]) {
    const { read, held } = open(keepMs);
    for (let attempt = 0; attempt < 3; attempt++) assert.is(await read("ann"), "t1");
    assert.is(held.size, 0);
  }
});

Tokens("ignores stored tokens as soon as the social service reports that it does not drop them any more", async () => {
  const { read, state, held } = open(1_000);
  await read("ann");
  await read("ann");
  await sleep(5);
  Object.assign(state, { keepMs: 0, token: "t4" });
  await read("bea");
  assert.is(held.get(annKey), "p.1 t1");
  assert.is(await read("ann"), "t4");
});

Tokens("ignores a stored token whose tick is too old", async () => {
  const { read, state, held } = open(1_000);
  await read("ann");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
  Object.assign(state, { token: "t2", tick: "p.9", known: new Set(["p.9"]) });
  assert.is(held.get(annKey), "p.1 t1");
  assert.is(await read("ann"), "t2");
  await eventually("the new token is stored", async () => held.get(annKey) === "p.9 t2");
});

Tokens("stores nothing while the service's ticks are not those of the gateway's Redis", async () => {
  const { read, state, held, leases } = open(1_000);
  state.tick = "q.1";
  for (let attempt = 0; attempt < 3; attempt++) assert.is(await read("ann"), "t1");
  assert.is(held.size + leases.size, 0);
  state.tick = "p.1";
  await read("ann");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
});

Tokens("asks the service while Redis is unavailable", async () => {
  const { read, state } = open(1_000);
  await read("ann");
  Object.assign(state, { away: true, token: "t5" });
  assert.is(await read("ann"), "t5");
});

Tokens.run();
