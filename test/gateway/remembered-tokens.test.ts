import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { confirmedTokens } from "../../gateway/cache/tokens/confirmed-tokens.ts";
import { createRememberedTokens, type RememberedTokens } from "../../gateway/cache/tokens/remembered-tokens.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { suite } from "../support/suite.ts";

const Remembered = suite("remembered tokens");
const { process: counts } = createCacheCounts(createRegistry()).tokens;

function find(tokens: RememberedTokens, ...keys: string[]) {
  const found = keys.map((key) => tokens.find(key));
  return found.map((one) => (one !== undefined && performance.now() <= one.until ? one.token : undefined));
}

/** What a read gives: these tokens, for a minute. */
function given(tokens: Record<string, string>, ms = 60_000) {
  const until = performance.now() + ms;
  return new Map(Object.entries(tokens).map(([key, token]) => [key, { token, until }]));
}

Remembered("leave out tokens that changed during the read", () => {
  const tokens = createRememberedTokens(60_000);
  const [first, second] = [tokens.begin(true), tokens.begin(true)];
  tokens.forget("ann");
  first(given({ ann: "a1", bob: "b1" }));
  assert.equal(find(tokens, "ann", "bob"), [undefined, "b1"]);
  tokens.begin(true)(given({ ann: "a2" }));
  second(given({ ann: "a1", cat: "c1" }));
  assert.equal(find(tokens, "ann", "cat"), ["a2", "c1"], "a read that began before the change");
  const third = tokens.begin(true);
  tokens.forget(null);
  third(given({ bob: "b2" }));
  assert.equal(find(tokens, "ann", "bob", "cat"), [undefined, undefined, undefined]);
});

Remembered("expire at the time that the read gives", async () => {
  const tokens = createRememberedTokens(60_000);
  tokens.begin(true)(given({ ann: "a1" }, 40));
  tokens.begin(true)(given({ bob: "b1" }, -1));
  assert.equal(find(tokens, "ann", "bob"), ["a1", undefined]);
  await sleep(50);
  assert.equal(find(tokens, "ann"), [undefined]);
});

Remembered("are forgotten when unused for two sweeps, and their entries then have ended", async () => {
  const tokens = createRememberedTokens(20);
  const sweep = async () => {
    await sleep(30);
    tokens.begin(true)(given({ cat: "c1" }));
  };
  tokens.begin(true)(given({ ann: "a1", bob: "b1" }));
  const bob = tokens.find("bob");
  const read = Object.assign(async () => [], { join: async () => undefined });
  const redis = { reportsChanges: () => true };
  const list = confirmedTokens({ tokens, redis, mayStore: () => true, read, counts })(["ann"]);
  for (let sweeps = 0; sweeps < 4; sweeps++) {
    await sweep();
    assert.equal(list.remembered(), ["a1"]);
  }
  assert.equal(find(tokens, "ann", "bob", "cat"), ["a1", undefined, "c1"]);
  assert.is(bob?.until, Number.NEGATIVE_INFINITY);
});

Remembered(
  "are read again after a refresh only while requests use them, and that read does not count as a use",
  async () => {
    const tokens = createRememberedTokens(200);
    const again = () => {
      const inUse = tokens.inUse(["ann", "bob", "cat"]);
      for (const key of inUse) tokens.forget(key);
      tokens.begin(false)(given({ ann: "a2", bob: "b1", cat: "c1" }));
      return inUse;
    };
    tokens.begin(true)(given({ ann: "a1", bob: "b1" }));
    assert.equal(again(), ["ann", "bob"]);
    assert.equal(find(tokens, "ann", "bob", "cat"), ["a2", "b1", undefined]);
    await sleep(210);
    assert.equal(again(), ["ann", "bob"], "used since the sweep before");
    Object.assign(tokens.find("bob") ?? {}, { isUsed: true });
    await sleep(210);
    assert.equal(again(), ["bob"]);
    assert.equal(find(tokens, "ann", "bob", "cat"), [undefined, "b1", undefined]);
    await sleep(210);
    assert.equal(again(), []);
  },
);

Remembered("are swept sooner where there are many", async () => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`name${index}`, "t"]));
  for (const [left, others] of [
    ["a1", {}],
    [undefined, many],
  ] as const) {
    const tokens = createRememberedTokens(1_000);
    tokens.begin(true)(given({ ann: "a1", ...others }));
    for (let sweeps = 0; sweeps < 2; sweeps++) {
      await sleep(110);
      tokens.begin(true)(given({ bob: "b1" }));
    }
    assert.equal(find(tokens, "ann"), [left]);
  }
});

Remembered("end their entry when the subject gets another token", async () => {
  const tokens = createRememberedTokens(200);
  tokens.begin(true)(given({ ann: "a1" }));
  const held = tokens.find("ann");
  tokens.begin(true)(given({ ann: "a1" }));
  assert.is(tokens.find("ann"), held, "the same token is the same object");
  tokens.begin(true)(given({ ann: "a2" }));
  assert.is(held?.until, Number.NEGATIVE_INFINITY, "another token is another object");
  tokens.begin(true)(given({ bob: "b1" }));
  tokens.begin(true)(given({ ann: "a3" }));
  tokens.forget("ann");
  assert.equal(find(tokens, "ann", "bob"), [undefined, "b1"]);
});

/** A Redis with these tokens, which a read remembers. `sent` are the commands that it got. */
function open(stored: Record<string, string>) {
  const tokens = createRememberedTokens(60_000);
  const state = {
    sent: [] as string[],
    reports: true,
    fails: false,
    remembers: true,
    mayStore: true,
    meanwhile: () => {},
  };
  const redis = { reportsChanges: () => state.reports };
  const confirm = () => {
    state.sent.push("PING");
    state.meanwhile();
    if (state.fails) tokens.forget(null);
  };
  const read = async (keys: readonly string[]) => {
    state.sent.push(keys.join());
    const remember = tokens.begin(true);
    remember(given(state.remembers ? Object.fromEntries(keys.map((key) => [key, stored[key] as string])) : {}));
    return keys.map((key) => stored[key] as string);
  };
  const batcher = Object.assign(read, { join: async () => confirm() });
  const tokensOf = confirmedTokens({ tokens, redis, mayStore: () => state.mayStore, read: batcher, counts });
  const ask = (...keys: string[]) => tokensOf(keys).read(performance.now() + 60_000);
  return { state, tokens, ask, tokensOf, sent: () => state.sent.splice(0) };
}

Remembered("are given once Redis has confirmed them", async () => {
  const stored: Record<string, string> = { ann: "a1", bob: "b1", cat: "c1" };
  const { ask, sent } = open(stored);
  assert.equal(await ask("ann", "bob"), ["a1", "b1"]);
  assert.equal(sent(), ["ann,bob"]);
  assert.equal(await Promise.all([ask("ann"), ask("bob", "ann")]), [["a1"], ["b1", "a1"]]);
  assert.equal(sent(), ["PING", "PING"]);
  assert.equal(await ask("bob", "cat", "ann", "cat"), ["b1", "c1", "a1", "c1"]);
  assert.equal(sent(), ["cat,cat"], "a read confirms the others");
  stored.dan = "d1";
  const many = ["ann", "bob", "cat", "ann", "bob", "cat", "dan", "ann"];
  assert.equal(
    await ask(...many),
    many.map((key) => stored[key]),
  );
  assert.equal(sent(), ["dan"]);
});

Remembered("of a list are the same list as before, until one changes", async () => {
  const stored = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`name${index}`, `t${index}`]));
  const { tokens, state } = open(stored);
  const keys = Object.keys(stored);
  const read = async (some: readonly string[]) => {
    tokens.begin(true)(given(Object.fromEntries(some.map((key) => [key, stored[key] as string]))));
    return some.map((key) => stored[key] as string);
  };
  const redis = { reportsChanges: () => true };
  const batcher = Object.assign(read, { join: async () => state.meanwhile() });
  const list = confirmedTokens({ tokens, redis, mayStore: () => true, read: batcher, counts })(keys);
  const ask = () => list.read(performance.now() + 60_000);
  await ask();
  const first = await ask();
  tokens.begin(true)(given({ ...stored }));
  assert.is(await ask(), first, "read again, and equal");
  tokens.forget(null);
  assert.is(await ask(), first, "forgotten, read again, and equal");
  state.meanwhile = () => {
    Object.assign(stored, { name7: "new" });
    tokens.forget("name7");
    state.meanwhile = () => {};
  };
  const changed = await ask();
  assert.equal(changed, Object.values(stored));
  assert.equal(await ask(), changed);
  assert.is(first[7], "t7", "callers hold it");
});

Remembered("are read again if they change before they are confirmed", async () => {
  const stored = { ann: "a1", bob: "b1" };
  const { ask, sent, state, tokens } = open(stored);
  await ask("ann", "bob");
  state.meanwhile = () => {
    stored.ann = "a2";
    tokens.forget("ann");
  };
  sent();
  assert.equal(await ask("ann", "bob"), ["a2", "b1"]);
  assert.equal(sent(), ["PING", "ann,bob"]);
});

Remembered("are taken when they come back after another one that was not remembered", async () => {
  const stored: Record<string, string> = { ann: "unknown" };
  const { tokens, tokensOf, state } = open(stored);
  const list = tokensOf(["ann"]);
  const ask = () => list.read(performance.now() + 60_000);
  assert.equal([await ask(), await ask()], [["unknown"], ["unknown"]]);
  tokens.forget("ann");
  stored.ann = "a1";
  state.remembers = false;
  assert.equal(await ask(), ["a1"]);
  tokens.begin(true)(given({ ann: "unknown" }));
  assert.equal(await ask(), ["unknown"]);
});

Remembered("can be confirmed and then taken at once, where all are remembered", async () => {
  const stored: Record<string, string> = { ann: "a1", bob: "b1" };
  const { ask, sent, state, tokens, tokensOf } = open(stored);
  assert.is(tokensOf([]).confirm(performance.now() + 60_000), undefined, "a reply without subjects is loaded");
  const list = tokensOf(["ann", "bob"]);
  const confirm = () => list.confirm(performance.now() + 60_000);
  await ask("ann");
  assert.is(confirm(), undefined, "one is missing");
  await ask("bob");
  sent();
  const hits = counts.hit.value;
  await confirm();
  assert.equal(sent(), ["PING"]);
  assert.equal(list.remembered(), ["a1", "b1"]);
  assert.is(list.remembered(), list.remembered());
  assert.is(counts.hit.value, hits + 2);
  state.meanwhile = () => tokens.forget("bob");
  await confirm();
  assert.is(list.remembered(), undefined, "one has changed meanwhile");
  assert.is(confirm(), undefined);
  state.meanwhile = () => {};
  await ask("bob");
  assert.equal(list.remembered(), ["a1", "b1"]);
  for (const fault of [{ fails: true }, { reports: false }, { mayStore: false }]) {
    await ask("ann", "bob");
    assert.equal(list.remembered(), ["a1", "b1"]);
    Object.assign(state, fault);
    await confirm();
    assert.is(list.remembered(), undefined, JSON.stringify(fault));
    Object.assign(state, { fails: false, reports: true, mayStore: true });
  }
});

Remembered("are not used while Redis fails, reports no changes, or token storage is off", async () => {
  const { ask, sent, state } = open({ ann: "a1" });
  await ask("ann");
  for (const fault of [{ fails: true }, { reports: false }, { mayStore: false }]) {
    sent();
    Object.assign(state, { fails: false, reports: true, mayStore: true }, fault);
    assert.equal(await ask("ann"), ["a1"]);
    assert.is(sent().at(-1), "ann", JSON.stringify(fault));
  }
});

Remembered.run();
