import * as assert from "uvu/assert";
import type { RedisConnection } from "../../services/platform/redis/connection.ts";
import { createLeasedValues } from "../../services/platform/redis/leased-values.ts";
import { suite } from "../support/suite.ts";

const Parts = suite("leased values of many keys");

const realNow = performance.now;
let now = 0;
Parts.before(() => void (performance.now = () => now));
Parts.after(() => void (performance.now = realNow));

/** Leased values in a Redis that takes `ms` for each part of 100, and does not confirm the part of this number. */
function open({ ms = 0, unconfirmed = 0 }) {
  const sizes: number[] = [];
  const evalAll: RedisConnection["evalAll"] = async (_script, groups) => {
    now += ms;
    if (sizes.push(groups.length) === unconfirmed) throw new Error("no answer");
    return groups.map(() => 1);
  };
  const values = createLeasedValues({ evalAll, timeoutMs: 50 } as Partial<RedisConnection> as RedisConnection);
  return { values, sizes };
}

const keys = Array.from({ length: 450 }, (_, index) => `key${index}`);
const filled = keys.map((key) => ({ key, lease: "lease", value: "value" }));
const replaced = keys.map((key) => ({ key, old: "old", value: "value", laterMs: 0 }));
const count = (results: readonly unknown[]) => results.filter(Boolean).length;

Parts("are leased, stored and replaced in parts, as far as Redis confirms", async () => {
  for (const [unconfirmed, done, sizes] of [
    [0, 450, [100, 100, 100, 100, 50]],
    [3, 200, [100, 100, 100]],
    [1, 0, [100]],
  ] as const) {
    for (const run of [
      (values: ReturnType<typeof open>["values"]) => values.lease(keys, 1_000),
      (values: ReturnType<typeof open>["values"]) => values.fill(filled),
      (values: ReturnType<typeof open>["values"]) => values.replace(replaced, now + 1_000),
    ]) {
      const opened = open({ unconfirmed });
      const results = await run(opened.values);
      assert.equal([results.length, count(results), opened.sizes], [450, done, sizes]);
      assert.is(count(results.slice(0, done)), done);
    }
  }
});

Parts("are raised only if Redis confirms all of them", async () => {
  const states = keys.map((key) => ({ key, state: "state" }));
  await open({}).values.raise(states);
  for (const failing of [{ unconfirmed: 5 }, { ms: 40 }]) {
    await open(failing)
      .values.raise(states)
      .then(
        () => assert.unreachable(),
        (error: Error) => assert.is(error.name, "RedisUnavailable"),
      );
  }
});

Parts("do not let requests wait for more than twice the time-out, nor are stored after their end", async () => {
  assert.is(count(await open({ ms: 40 }).values.lease(keys, 1_000)), 300);
  assert.is(count(await open({ ms: 40 }).values.replace(replaced, now + 60)), 200);
  assert.is(count(await open({ ms: 40 }).values.fill(filled)), 450, "no request waits for it");
});

Parts.run();
