import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { leasedValuesSuite } from "./leased-values-suite.ts";

const { test, redis, values, run } = await leasedValuesSuite("leased values");

test("gives the lease of a key to one caller, while the value stays readable", async () => {
  const leases = await values.lease(["one", "one", "two"], 10_000);
  assert.equal(
    leases.map((lease) => lease !== undefined),
    [true, false, true],
  );
  // At random, so that no other process gives the same.
  assert.match(leases[0] ?? "", /^[\w-]{16}\.\d+$/);
  await values.fill([{ key: "one", lease: leases[0] ?? "", value: "u.1.1.e" }]);
  assert.equal(await values.read(["one", "two", "three"]), ["u.1.1.e", undefined, undefined]);
  const [lease = ""] = await values.lease(["one"], 10_000);
  assert.equal(await values.read(["one"]), ["u.1.1.e"]);
  await values.fill([{ key: "one", lease, value: "u.1.2.e" }]);
  assert.equal(await values.read(["one"]), ["u.1.2.e"]);
});

test("answers other commands between the parts of a script for many keys", async () => {
  const leased = values.lease(
    Array.from({ length: 400 }, (_, index) => `many${index}`),
    10_000,
  );
  assert.equal(await values.read(["many399:lease"]), [undefined]);
  assert.is(new Set(await leased).size, 400);
});

test("stores a value for the remaining time of its lease, whatever that of the earlier value", async () => {
  const [long = ""] = await values.lease(["short"], 60_000);
  await values.fill([{ key: "short", lease: long, value: "u.1.0.e" }]);
  const [lease = ""] = await values.lease(["short"], 30_000);
  await sleep(100);
  await values.fill([{ key: "short", lease, value: "u.1.1.e" }]);
  assert.equal(await values.read(["short"]), ["u.1.1.e"]);
  const left = Number((await redis.send("PTTL short")).slice(1));
  assert.ok(left > 0 && left <= 29_950, `${left} ms`);
});

test("replaces a value that is still there, by a state that is not older", async () => {
  const [lease = ""] = await values.lease(["kept"], 60_000);
  const old = "t1 u.1.5.e";
  const replace = (value: string, ms = 60_000) =>
    values.replace([{ key: "kept", old, value, laterMs: 10_000 }], performance.now() + ms);
  assert.equal(await replace("t2 u.1.6.e"), [false], "nothing is there");
  for (const [value, isStored] of [
    ["t2 u.1.5.e", true],
    ["t2 u.1.6.e", true],
    ["t2 u.1.4.e", false],
    ["t2 u.1.6.other", false],
    ["t2 v.1.6.e", false],
    ["t2 unknown", false],
  ] as const) {
    await redis.send(`SET kept "${old}" PX 20000`);
    assert.equal([await replace(value), await values.read(["kept"])], [[isStored], [isStored ? value : old]], value);
  }
  await values.fill([{ key: "kept", lease, value: "t2 u.1.5.e" }]);
  assert.equal(await replace("t3 u.1.6.e"), [false], "another one is there");
  await redis.send(`SET kept "${old}" PX 20000`);
  assert.equal(await replace("t3 u.1.5.e", 0), [false], "its time is over");
  for (const [ms, mostMs] of [
    [60_000, 30_000],
    [9_000, 9_000],
  ] as const) {
    await redis.send(`SET kept "${old}" PX 20000`);
    assert.equal(await replace("t2 u.1.5.e", ms), [true]);
    const left = Number((await redis.send("PTTL kept")).slice(1));
    assert.ok(left > mostMs - 5_000 && left <= mostMs, `${left} ms`);
  }
  await redis.send(`SET kept "${old}" PX 20000`);
  const last = { key: "kept", old, value: "t2 u.1.5.e", laterMs: -20_000 };
  assert.equal(await values.replace([last], performance.now() + 10_000), [true], "in its last millisecond");
});

test("stores no value when the lease was dropped, has expired or is another caller's", async () => {
  const [dropped = ""] = await values.lease(["dropped"], 10_000);
  await values.drop(["dropped"]);
  await values.fill([{ key: "dropped", lease: dropped, value: "old" }]);
  const [first = ""] = await values.lease(["again"], 10_000);
  await values.drop(["again"]);
  await values.lease(["again"], 10_000);
  await values.fill([{ key: "again", lease: first, value: "old" }]);
  const [late = ""] = await values.lease(["late"], 1);
  await sleep(20);
  await values.fill([{ key: "late", lease: late, value: "old" }]);
  // As where the wall clock of Redis was set back, so that it does not expire.
  const [endless = "", other = ""] = await values.lease(["endless", "other"], 10_000);
  await redis.send("PERSIST endless:lease");
  await values.fill([
    { key: "endless", lease: endless, value: "old" },
    { key: "other", lease: other, value: "new" },
  ]);
  const [kept = ""] = await values.lease(["renewed"], 10_000);
  await values.fill([{ key: "renewed", lease: kept, value: "v" }]);
  const [renewal = ""] = await values.lease(["renewed"], 10_000);
  await values.drop(["renewed"]);
  await values.fill([{ key: "renewed", lease: renewal, value: "old" }]);
  const stored = await values.read(["dropped", "again", "late", "renewed", "endless", "other"]);
  assert.equal(stored, [undefined, undefined, undefined, undefined, undefined, "new"]);
});

run();
