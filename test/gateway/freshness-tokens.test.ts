import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { listSessionTokens, listUserTokens, type TokenServices } from "../../gateway/cache/tokens/list-tokens.ts";
import { createRememberedTokens } from "../../gateway/cache/tokens/remembered-tokens.ts";
import { freshnessKey, sessionKey } from "../../services/platform/redis/freshness-key.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { openTokenReader, turn } from "./fake-token-store.ts";

const Tokens = suite("freshness tokens");
const annKey = freshnessKey("ann");

Tokens("stores a token that it has asked for under a lease, and then does not ask again", async () => {
  const { read, state, held, leases } = openTokenReader(1_000);
  assert.is(await read("ann"), "t1");
  assert.is(await read("ann"), "t1");
  await sleep(5);
  assert.equal([...held, ...leases], [[annKey, "p.1 t1"]]);
  const { asked } = state;
  assert.is(await read("ann"), "t1");
  assert.is(state.asked, asked);
});

Tokens("stores no token under a lease that a writer has dropped", async () => {
  const { read, state, held, leases, tokenStore } = openTokenReader(1_000);
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
  const { read, state, held, leases } = openTokenReader(1_000);
  await read("bea");
  leases.set(annKey, "lease of another");
  state.token = "t3";
  assert.is(await read("ann"), "t3");
  await sleep(5);
  assert.equal([held.has(annKey), leases.get(annKey)], [false, "lease of another"]);
});

Tokens("refreshes a token before it expires while it is read, and three times after that", async () => {
  const { read, state, held } = openTokenReader(300, 300);
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
  const { read, state, held } = openTokenReader(300, 300);
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
  const { read, tokenStore, held } = openTokenReader(1_000);
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
  const { read, tokenStore, held, state } = openTokenReader(100, 100);
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

Tokens("stores no token that comes with the answer that none may be stored for that long", async () => {
  const { read, state, held, leases } = openTokenReader(1_000);
  await read("bea");
  state.keepMs = 999;
  await read("ann");
  await sleep(5);
  assert.equal([held.has(annKey), leases.has(annKey)], [false, true]);
});

Tokens("takes a lease again when the service has not answered before its end", async () => {
  const { read, state, tokenStore } = openTokenReader(50, 50);
  await read("bea");
  let leases = 0;
  tokenStore.lease = async (keys) => {
    leases++;
    return keys.map(() => `lease ${leases}`);
  };
  state.answer = () => new Promise(() => {});
  await eventually("another lease", async () => {
    void read("ann");
    return leases > 1;
  });
});

Tokens("asks for any number of names, in lists no longer than the service accepts", async () => {
  const { tokensOf, held } = openTokenReader(60_000, 60_000);
  // The lifetime is a minute: within a second a slow machine does not always get so many tokens, and a token that comes later is not stored.
  const names = Array.from({ length: 25_000 }, (_, index) => `n${index}`);
  for (const expected of [0, names.length]) {
    const tokens = await tokensOf(names);
    assert.equal([tokens.length, new Set(tokens)], [names.length, new Set(["t1"])]);
    await eventually("the tokens are stored", async () => held.size === expected);
  }
});

Tokens("takes no lease while the social service drops no tokens, or for less than their lifetime", async () => {
  for (const keepMs of [0, 999]) {
    const { read, held } = openTokenReader(keepMs);
    for (let attempt = 0; attempt < 3; attempt++) assert.is(await read("ann"), "t1");
    assert.is(held.size, 0);
  }
});

Tokens(
  "takes no lease where one of several answers says that no token may be stored, or where there is none",
  async () => {
    const names = Array.from({ length: 2_001 }, (_, index) => `n${index}`);
    for (const [field, answers] of [
      ["keepMs", [1_000, 0]],
      ["tick", ["p.1", "q.1"]],
    ] as const) {
      const { tokensOf, state, held, leases } = openTokenReader(1_000);
      let calls = 0;
      Object.defineProperty(state, field, { get: () => answers[calls++ % 2] });
      for (let attempt = 0; attempt < 2; attempt++) await tokensOf(names);
      assert.equal([calls, held.size + leases.size], [4, 0], field);
    }
    const { read, tokensOf, leases } = openTokenReader(0);
    assert.equal(await tokensOf([]), []);
    await read("ann");
    assert.is(leases.size, 0);
  },
);

Tokens("ignores stored tokens as soon as the social service reports that it does not drop them any more", async () => {
  const { read, state, held } = openTokenReader(1_000);
  await read("ann");
  await read("ann");
  await sleep(5);
  Object.assign(state, { keepMs: 0, token: "t4" });
  await read("bea");
  assert.is(held.get(annKey), "p.1 t1");
  assert.is(await read("ann"), "t4");
});

Tokens("ignores a stored token whose tick is too old", async () => {
  const { read, state, held } = openTokenReader(1_000);
  await read("ann");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
  Object.assign(state, { token: "t2", tick: "p.9", known: new Set(["p.9"]) });
  assert.is(held.get(annKey), "p.1 t1");
  assert.is(await read("ann"), "t2");
  await eventually("the new token is stored", async () => held.get(annKey) === "p.9 t2");
});

Tokens("remembers a token no longer than its tick is young enough", async () => {
  const tokens = createRememberedTokens(60_000);
  const redis = { reportsChanges: () => true, confirm: async () => {} };
  const { read, held, state } = openTokenReader(60_000, 60_000, { tokens, maxAgeMs: 50_000, redis });
  await read("bea");
  held.set(annKey, "p.1 a1");
  state.recentUntil = performance.now() + 40_000;
  await read("ann");
  assert.is(tokens.find("ann")?.until, state.recentUntil);
});

Tokens("stores nothing while the service's ticks are not those of the gateway's Redis", async () => {
  const { read, state, held, leases } = openTokenReader(1_000);
  state.tick = "q.1";
  for (let attempt = 0; attempt < 3; attempt++) assert.is(await read("ann"), "t1");
  assert.is(held.size + leases.size, 0);
  state.tick = "p.1";
  await read("ann");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
});

Tokens("asks the service while Redis is unavailable", async () => {
  const { read, state } = openTokenReader(1_000);
  await read("ann");
  Object.assign(state, { away: true, token: "t5" });
  assert.is(await read("ann"), "t5");
});

Tokens("has an absent state announced each time, since it may come back after other states", async () => {
  for (const [token, announced] of [
    ["t1", "t1"],
    ["unknown", ""],
    ["nobody", ""],
  ] as const) {
    const { read, state } = openTokenReader(1_000);
    state.token = token;
    await read("ann");
    await eventually("a token that is read from Redis", async () => {
      const { asked } = state;
      await read("ann");
      return state.asked === asked;
    });
    state.away = true;
    for (let again = 0; again < 2; again++) {
      await read("ann");
      assert.equal(state.announced, [announced], token);
    }
  }
});

Tokens("are asked of their services with those that are announced, in the order of their subjects", async () => {
  const requests: unknown[] = [];
  let viewerTokens = ["v1"];
  const answering = (tokens: string[]) => async (request: object) => {
    requests.push(request);
    return { tokens, viewerTokens, keepMs: 1, tick: "p.1" } as never;
  };
  const services: TokenServices = {
    freshness: { listTokens: answering(["a1", "c1"]) },
    sessions: { listSessionTokens: answering(["s1"]) },
  };
  const ask = () => listUserTokens(services)(["ann", "viewer:7", "cid"], ["a0", "v0", "c0"], 1_000);
  assert.equal((await ask()).tokens, ["a1", "v1", "c1"]);
  const users = { screenNames: ["ann", "cid"], announcedTokens: ["a0", "c0"] };
  assert.equal(requests.pop(), { ...users, viewerIds: [7n], announcedViewerTokens: ["v0"] });
  viewerTokens = [];
  assert.equal((await ask()).tokens, ["a1", "", "c1"], "by an older service");
  const hash = Buffer.alloc(32, 7);
  assert.equal((await listSessionTokens(services)([sessionKey(hash)], ["s0"], 1_000)).tokens, ["s1"]);
  assert.equal(requests.pop(), { idHashes: [hash], announcedTokens: ["s0"] });
});

Tokens.run();
