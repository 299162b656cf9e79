import { setTimeout as sleep } from "node:timers/promises";
import { Code, type ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { createRememberedTokens } from "../../gateway/cache/tokens/remembered-tokens.ts";
import { askedTokens } from "../../gateway/cache/tokens/token-lists.ts";
import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { openTokenReader, turn } from "./fake-token-store.ts";

const Tokens = suite("remembered tokens of a reader");
const annKey = freshnessKey("ann");

Tokens("has remembered tokens confirmed by few commands, each for all requests that wait", async () => {
  let confirmed = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const confirm = async () => {
    await answered;
    confirmed++;
  };
  const redis = { reportsChanges: () => true, confirm };
  const { read, held, tokenStore, state } = openTokenReader(1_000, 1_000, {
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

Tokens("waits for Redis no longer than until the deadline", async () => {
  let answers = true;
  const confirm = () => (answers ? Promise.resolve() : new Promise<void>(() => {}));
  const redis = { reportsChanges: () => true, confirm };
  const memory = { tokens: createRememberedTokens(60_000), maxAgeMs: 60_000, redis };
  const { read, held, tokenStore, lists } = openTokenReader(120_000, 120_000, memory);
  const list = lists(["ann"]);
  await read("bea");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
  await read("ann");
  await list.confirm(performance.now() + 60_000);
  assert.equal(list.remembered(), ["t1"]);
  answers = false;
  tokenStore.read = () => new Promise(() => {});
  const codeOf = (late: Promise<unknown> | undefined) => late?.catch((error: ConnectError) => Code[error.code]);
  assert.is(await codeOf(list.confirm(performance.now() + 20)), "DeadlineExceeded");
  assert.is(await codeOf(lists(["cid"]).read(performance.now() + 20)), "DeadlineExceeded");
  // One late request says nothing of the others.
  assert.equal(list.remembered(), ["t1"]);
});

Tokens("forgets them before it answers when it may no longer ask Redis", async () => {
  const tokens = createRememberedTokens(60_000);
  const forgotten: (string | null)[] = [];
  const forget = (key: string | null) => {
    forgotten.push(key);
    tokens.forget(key);
  };
  const redis = { reportsChanges: () => true, confirm: () => assert.unreachable("asked Redis") as never };
  const { read, held, lists, state } = openTokenReader(120_000, 120_000, {
    tokens: { ...tokens, forget },
    maxAgeMs: 60_000,
    redis,
  });
  await read("bea");
  await read("ann");
  await eventually("the token is stored", async () => held.has(annKey));
  await read("ann");
  const list = lists(["ann"]);
  forgotten.length = 0;
  assert.equal(list.remembered(), ["t1"]);
  state.keepMs = 0;
  let answer = () => {};
  state.answer = () => new Promise((resolve) => (answer = resolve));
  const { asked } = state;
  const other = read("cid");
  await eventually("the service is asked", async () => state.asked > asked);
  // In one turn: the list joins a batch, and before this is sent the service says that no token may be stored.
  const confirmed = list.confirm(performance.now() + 60_000);
  state.answer = async () => {};
  answer();
  await confirmed;
  assert.equal([list.remembered(), forgotten], [undefined, [null]]);
  await other;
});

Tokens("remembers its own tokens until they expire, and those of another process for a short time", async () => {
  const redis = { reportsChanges: () => true, confirm: async () => {} };
  const memory = { tokens: createRememberedTokens(60_000), maxAgeMs: 50, redis };
  const { read, held, tokenStore } = openTokenReader(60_000, 60_000, memory);
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

Tokens("count the lifetime of its own tokens from when the service was asked, and are stored for less", async () => {
  const realNow = performance.now;
  let now = 0;
  performance.now = () => now;
  try {
    const redis = { reportsChanges: () => true, confirm: async () => {} };
    const memory = { tokens: createRememberedTokens(60_000), maxAgeMs: 50, redis };
    const { read, held, tokenStore, state } = openTokenReader(60_000, 60_000, memory);
    const lifetimes: number[] = [];
    const { lease, read: stored } = tokenStore;
    tokenStore.lease = (keys, ms) => {
      lifetimes.push(ms);
      return lease(keys, ms);
    };
    let reads = 0;
    tokenStore.read = (keys) => {
      reads++;
      return stored(keys);
    };
    await read("bea");
    state.answer = async () => void (now = 40_000);
    await read("ann");
    await eventually("the token is stored", async () => held.has(annKey));
    await read("ann");
    const before = reads;
    now = 60_000;
    await read("ann");
    assert.is(reads, before);
    now = 60_001;
    await read("ann");
    assert.equal([reads, lifetimes], [before + 1, [59_950]]);
  } finally {
    performance.now = realNow;
  }
});

Tokens("remembers nothing while Redis reports no changes", async () => {
  const tokens = createRememberedTokens(60_000);
  const redis = { reportsChanges: () => false, confirm: () => assert.unreachable("asked Redis") as never };
  const { read, held } = openTokenReader(60_000, 60_000, { tokens, maxAgeMs: 0, redis });
  await read("bea");
  held.set(annKey, "p.1 a1");
  assert.equal([await read("ann"), tokens.find("ann")], ["a1", undefined]);
});

Tokens(
  "knows which token is announced: that which it has read from Redis, or which the service has announced",
  async () => {
    const { read, held, state } = openTokenReader(60_000, 60_000);
    await read("bea");
    held.set(annKey, "p.1 a1");
    await read("ann");
    Object.assign(state, { away: true, token: "a2" });
    for (const announced of ["a1", "a2"]) {
      assert.is(await read("ann"), "a2");
      assert.equal(state.announced, [announced]);
    }
  },
);

/** Three tokens that this process has stored and remembers; a refresh reports them as changed, as Redis does. */
async function openRefreshed(idleMs: number) {
  const tokens = createRememberedTokens(idleMs);
  const redis = { reportsChanges: () => true, confirm: async () => {} };
  const opened = openTokenReader(500, 500, { tokens, maxAgeMs: 0, redis });
  const { read, held, tokenStore, tokensOf } = opened;
  const names = ["ann", "bob", "cid"];
  const sent: string[] = [];
  const [replace, stored] = [tokenStore.replace, tokenStore.read];
  tokenStore.replace = async (values, end) => {
    const isStored = await replace(values, end);
    for (const name of names) tokens.forget(name);
    return isStored;
  };
  tokenStore.read = (keys) => {
    sent.push(keys.join());
    return stored(keys);
  };
  await read("bea");
  await eventually("the tokens are stored", async () => {
    await tokensOf(names);
    return names.every((name) => held.has(freshnessKey(name)));
  });
  // A token that was asked for once is not refreshed.
  await tokensOf(names);
  sent.length = 0;
  return { ...opened, names, sent, tokens };
}

Tokens("reads tokens in use again in one batch after their refresh, so that requests find them", async () => {
  const { sent, names, lists } = await openRefreshed(60_000);
  await eventually("they are read again", async () => sent.length > 0);
  await turn();
  assert.equal(sent, [names.map(freshnessKey).join()]);
  assert.equal(lists(names).remembered(), ["t1", "t1", "t1"]);
  await eventually("they are refreshed as long as they are in use", async () => sent.length > 5);
});

for (const [what, keepMs] of [
  ["", 500],
  [", or can no longer be stored", 0],
] as const) {
  Tokens(`are refreshed a few times more when they are no longer used${what}`, async () => {
    const { state } = await openRefreshed(50);
    state.keepMs = keepMs;
    let asked = -1;
    await eventually("the service is not asked again", async () => {
      const before = asked;
      asked = state.asked;
      // Longer than from one refresh to the next.
      await sleep(600);
      return before === state.asked;
    });
    assert.ok(state.asked > 0);
  });
}

Tokens("forgets all when Redis does not answer the read after a refresh", async () => {
  const { tokenStore, tokens, names } = await openRefreshed(60_000);
  let failed = false;
  tokenStore.read = () => {
    failed = true;
    return Promise.reject(new Error("away"));
  };
  await eventually("they are read again", async () => failed);
  await turn();
  assert.equal(
    names.map((name) => tokens.find(name)),
    names.map(() => undefined),
  );
});

Tokens("that are asked for each time are those of the newest call, whichever is answered last", async () => {
  const answers: ((token: string) => void)[] = [];
  const ask = () => new Promise<string[]>((resolve) => answers.push((token) => resolve([token])));
  const list = askedTokens(ask)(["ann"]);
  assert.is(list.remembered(), undefined);
  const [older, newer] = [list.confirm(0), list.confirm(0)];
  answers[1]?.("t2");
  await newer;
  assert.equal(list.remembered(), ["t2"]);
  answers[0]?.("t1");
  assert.equal([await older, list.remembered()], [["t2"], ["t2"]]);
  const third = list.read(0);
  answers[2]?.("t3");
  assert.equal([await third, list.remembered()], [["t3"], ["t3"]]);
  const fourth = list.read(0);
  answers[3]?.("t3");
  assert.is(await fourth, await third, "the same list as long as it is equal");
});

Tokens("that are asked for each time are confirmed once those of the reply are as well", async () => {
  const failure = new Error("no answer");
  let fails = false;
  const reply = askedTokens(async () => (fails ? Promise.reject(failure) : ["r1"]))(["bea"]);
  const list = askedTokens(async () => ["t1"])(["ann"]);
  await list.confirm(0, reply);
  assert.equal([list.remembered(), reply.remembered()], [["t1"], ["r1"]]);
  fails = true;
  assert.is(await list.confirm(0, reply)?.catch((error: unknown) => error), failure);
  assert.is(list.confirm(0, askedTokens(async () => [])([])), undefined, "a reply without keys is loaded");
});

Tokens.run();
