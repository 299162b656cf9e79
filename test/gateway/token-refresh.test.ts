import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createTokenRefresh, type StoredToken } from "../../gateway/cache/tokens/token-refresh.ts";
import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { openTokenReader, turn } from "./fake-token-store.ts";

const Refresh = suite("the refresh of freshness tokens");
const annKey = freshnessKey("ann");

/** Milliseconds on a clock that only these tests advance. */
let now = 0;
const advance = (ms: number) => void (now += ms);
const realNow = performance.now;
Refresh.before(() => void (performance.now = () => now));
Refresh.after(() => void (performance.now = realNow));

/** A reader that has stored a token. */
async function openStored() {
  const opened = openTokenReader(1_000);
  for (let time = 0; time < 2; time++) await opened.read("ann");
  await eventually("the token is stored", async () => opened.held.has(annKey));
  return opened;
}

/** Tokens that are refreshed, with all batches that were due. */
function open() {
  const batches: StoredToken[][] = [];
  const refresh = createTokenRefresh(1_000, (due) => void batches.push(due));
  const due = async (number: number, ms = 701) => {
    advance(ms);
    await eventually("the refresh", async () => batches.length === number);
    return batches.at(-1)?.map(({ subjectKey }) => subjectKey);
  };
  return { refresh, due };
}

Refresh("knows when its own token was asked for, until a new one is stored, and no other one's", async () => {
  const { refresh, due } = open();
  const begun = now;
  refresh.noteStored([{ subjectKey: "ann", value: "a1" }], begun);
  refresh.noteRead("ann");
  assert.equal([refresh.askedAt("ann", "a1"), refresh.askedAt("ann", "of another")], [begun, undefined]);
  await due(1);
  assert.is(refresh.askedAt("ann", "a1"), begun);
  refresh.noteStored([{ subjectKey: "ann", value: "a2" }], begun + 701);
  assert.equal([refresh.askedAt("ann", "a1"), refresh.askedAt("ann", "a2")], [undefined, begun + 701]);
});

Refresh("is due by the time of the newest token, whichever was stored first", async () => {
  const { refresh, due } = open();
  const begun = now;
  for (const [subjectKey, value, ms] of [
    ["ann", "a1", 0],
    ["bob", "b1", 100],
    ["ann", "a2", 200],
  ] as const) {
    refresh.noteStored([{ subjectKey, value }], begun + ms);
    refresh.noteRead(subjectKey);
  }
  assert.equal(await due(1, 801), ["bob"]);
  assert.equal(await due(2, 100), ["ann"]);
});

Refresh("is of at most 200 tokens at once that were not read since the last one, and of all that were", async () => {
  const { refresh, due } = open();
  const names = Array.from({ length: 400 }, (_, index) => `name${index}`);
  refresh.noteStored(
    names.map((subjectKey) => ({ subjectKey, value: "t1" })),
    now,
  );
  for (const name of names) refresh.noteRead(name);
  assert.equal(await due(1), names);
  for (const name of names.slice(-50)) refresh.noteRead(name);
  assert.equal(await due(2), [...names.slice(0, 200), ...names.slice(-50)]);
});

Refresh("spreads tokens that were stored at the same moment, and is not more frequent for that", () => {
  const realSetTimeout = globalThis.setTimeout;
  let [check, checkMs] = [() => {}, 0];
  globalThis.setTimeout = ((action: () => void, ms: number) => {
    [check, checkMs] = [action, ms];
    return { unref() {} };
  }) as unknown as typeof setTimeout;
  const names = Array.from({ length: 1_400 }, (_, index) => `name${index}`);
  const store = (subjectKeys: readonly string[]) => {
    refresh.noteStored(
      subjectKeys.map((subjectKey) => ({ subjectKey, value: "t" })),
      now,
    );
    for (const name of subjectKeys) refresh.noteRead(name);
  };
  let checks: string[][] = [];
  const refresh = createTokenRefresh(1_000, (due) => {
    const subjectKeys = due.map(({ subjectKey }) => subjectKey);
    checks.push(subjectKeys);
    store(subjectKeys);
  });
  const pass = (ms: number) => {
    checks = [];
    for (let time = 0; time < ms; time += checkMs) {
      advance(checkMs);
      check();
    }
  };
  store(names);
  pass(5_000);
  pass(700);
  globalThis.setTimeout = realSetTimeout;
  assert.ok(Math.max(...checks.map((due) => due.length)) <= 250, `at once: ${checks.map((due) => due.length)}`);
  assert.equal(new Set(checks.flat()).size, 1_400);
  assert.ok(checks.flat().length <= 1_500, `in a lifetime: ${checks.flat().length}`);
});

Refresh("is no earlier for tokens that were not read since the last one", async () => {
  const { refresh, due } = open();
  const store = (names: readonly string[]) => {
    refresh.noteStored(
      names.map((subjectKey) => ({ subjectKey, value: "t1" })),
      now,
    );
    for (const name of names) refresh.noteRead(name);
  };
  store(["unread", "read"]);
  await due(1);
  refresh.noteRead("read");
  advance(400);
  store(Array.from({ length: 200 }, (_, index) => `name${index}`));
  assert.equal(await due(2, 1), ["read"]);
  assert.equal((await due(3, 301))?.slice(0, 1), ["unread"]);
});

Refresh("of an earlier token neither ends that of a later one nor takes its place", () => {
  const { refresh } = open();
  refresh.noteStored([{ subjectKey: "ann", value: "later" }], now);
  refresh.forget("ann", "earlier");
  refresh.noteStored([{ subjectKey: "ann", value: "between", old: "earlier" }], now);
  assert.is(refresh.askedAt("ann", "later"), now);
  refresh.noteStored([{ subjectKey: "ann", value: "latest", old: "later" }], now + 1);
  assert.is(refresh.askedAt("ann", "latest"), now + 1);
  refresh.forget("ann", "latest");
  assert.is(refresh.askedAt("ann", "latest"), undefined);
});

Refresh("ends for a token that a writer has dropped, and while Redis fails", async () => {
  for (const isDropped of [true, false]) {
    const { read, state, tokenStore } = await openStored();
    await read("ann");
    const { asked } = state;
    if (isDropped) await tokenStore.drop([annKey]);
    else state.away = true;
    advance(701);
    await eventually("the refresh", async () => state.asked > asked);
    advance(701);
    await sleep(200);
    assert.is(state.asked, asked + 1);
  }
});

Refresh("is left to the process that stored the token last", async () => {
  const { read, state, held, leases } = await openStored();
  await read("ann");
  held.delete(annKey);
  leases.set(annKey, "lease of another");
  await read("ann");
  held.set(annKey, "p.1 t1");
  state.token = "t2";
  advance(701);
  await sleep(200);
  assert.is(held.get(annKey), "p.1 t1");
});

Refresh("counts the lifetime of the new token from when the service was asked", async () => {
  const { read, state, tokenStore } = await openStored();
  const lifetimes: number[] = [];
  const { replace } = tokenStore;
  tokenStore.replace = (values, end) => {
    lifetimes.push(end - now);
    return replace(values, end);
  };
  for (const [late, count] of [
    [400, 1],
    [0, 2],
  ] as const) {
    await read("ann");
    state.answer = async () => advance(late);
    // The second time 700 ms have passed since the first refresh had asked.
    advance(701 - (count === 2 ? 400 : 0));
    await eventually("the refresh", async () => lifetimes.length === count);
  }
  assert.equal(lifetimes, [600, 1_000]);
  const { asked } = state;
  state.answer = async () => advance(1_001);
  advance(701);
  await eventually("the question", async () => state.asked > asked);
  await turn();
  assert.equal(lifetimes.slice(2), [-1], "it has ended");
});

Refresh.run();
