import * as assert from "uvu/assert";
import { addressKey } from "../../services/platform/limits/address-key.ts";
import { gcra } from "../../services/platform/limits/gcra.ts";
import { connectLimitsRedis, type LimitsRedis } from "../../services/platform/limits/limits-redis.ts";
import type { Charge, Rate, RateLimiter, Taken } from "../../services/platform/limits/rate-limiter.ts";
import { createSharedLimiter } from "../../services/platform/limits/refusing-limiter.ts";
import { slidingWindow } from "../../services/platform/limits/sliding-window.ts";
import { createLog } from "../../services/platform/log.ts";
import { createRandom } from "../people/random.ts";
import { eventually } from "../support/eventually.ts";
import { times } from "../support/long.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { suite } from "../support/suite.ts";

const Limits = suite("limits");
const redis = await startTestRedisFor("shared limits");
const withRedis = redis === undefined ? Limits.skip : Limits;
Limits.after(() => redis?.stop());

const log = createLog("test", "silent");

/** Makes one attempt for a key, and returns the seconds to wait, 0 when it is allowed. */
async function take(limiter: RateLimiter, rate: Rate, key: string): Promise<number> {
  const { waits } = await limiter.take([{ limit: "try", key, rate }]);
  const [wait] = waits;
  return wait as number;
}

/** As many attempts, one after the other. */
async function takeMany(limiter: RateLimiter, rate: Rate, count: number): Promise<number[]> {
  const waits = [];
  for (let index = 0; index < count; index++) waits.push(await take(limiter, rate, "a"));
  return waits;
}

Limits("that count evenly allow a burst, then one in each interval, and return how long to wait", async () => {
  let now = 1_000;
  const limiter = gcra.createLocal(() => now);
  const rate = { times: 3, seconds: 60 };
  const takes = (count: number) => takeMany(limiter, rate, count);
  assert.equal(await takes(5), [0, 0, 0, 20, 20]);
  assert.is(await take(limiter, rate, "b"), 0);
  now += 19_001;
  assert.equal(await takes(1), [1]);
  now += 999;
  assert.equal(await takes(2), [0, 20]);
  now += 3_600_000;
  assert.equal(await takes(4), [0, 0, 0, 20]);
  // When a clock that was ahead is set back, no caller is refused for the time that it was ahead.
  now -= 3_600_000;
  assert.equal(await takes(1), [20]);
  now += 20_000;
  assert.equal(await takes(1), [0]);
});

Limits("that count in windows allow the limit in any period, and each again one part of it later", async () => {
  const start = 1_000_000 * 60_000;
  let now = start + 30_500;
  const limiter = slidingWindow.createLocal(() => now);
  const rate = { times: 3, seconds: 60 };
  const takes = (count: number) => takeMany(limiter, rate, count);
  assert.equal(await takes(5), [0, 0, 0, 61, 61]);
  assert.is(await take(limiter, rate, "b"), 0);
  now = start + 91_000 - 1;
  assert.equal(await takes(1), [1]);
  now++;
  assert.equal(await takes(2), [0, 0]);
  now += 10_000;
  assert.equal(await takes(2), [0, 51]);
  now += 3_600_000;
  assert.equal(await takes(4), [0, 0, 0, 61]);
});

Limits("that count in windows never allow more, with random attempts and refunds", async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const random = createRandom(seed);
  for (let round = 0; round < times(20, 500); round++) {
    let now = 1_000_000_000_000 + Math.floor(random.next() * 1e6);
    const rate = { times: 1 + Math.floor(random.next() * 8), seconds: 60 };
    const limiter = slidingWindow.createLocal(() => now);
    const through: number[] = [];
    for (let attempt = 0; attempt < 400; attempt++) {
      now += Math.floor(random.percent(50) ? random.next() * 300 : random.next() * 20_000);
      const charges: Charge[] = [{ limit: "try", key: "a", rate }];
      const { waits, giveBack } = await limiter.take(charges);
      const at = now;
      if (waits[0] !== 0) continue;
      now += Math.floor(random.next() * 2_000);
      if (random.percent(30)) await giveBack(charges);
      else through.push(at);
      const within = through.filter((each) => each > at - 60_000).length;
      assert.ok(within <= rate.times, `${within} of ${rate.times} (seed ${seed})`);
    }
    assert.ok(through.length > 4 * rate.times, "later ones are allowed");
  }
});

/** Checks several charges at once, and refunds. */
async function showCharges(limiter: RateLimiter, key: string, [one, two]: readonly [number, number]): Promise<void> {
  const narrow = { limit: "narrow", key, rate: { times: 1, seconds: 3_600 } };
  const wide = { limit: "wide", key, rate: { times: 2, seconds: 3_600 } };
  // In windows the first of two is available again within a part of the minute.
  const near = (waits: readonly number[]) => waits.map((wait) => [0, two, one].find((each) => wait <= each));
  const take = async (charges: readonly Charge[]): Promise<Taken & { near: unknown }> => {
    const taken = await limiter.take(charges);
    return { ...taken, near: near(taken.waits) };
  };
  const both = await take([narrow, wide]);
  assert.equal(both.near, [0, 0]);
  for (let refused = 0; refused < 3; refused++) assert.equal((await take([narrow, wide])).near, [one, 0]);
  const second = await take([wide]);
  assert.equal(second.near, [0]);
  assert.equal((await take([narrow, wide])).near, [one, two]);
  await both.giveBack([narrow]);
  for (let refused = 0; refused < 3; refused++) assert.equal((await take([narrow, wide])).near, [0, two]);
  await second.giveBack([wide]);
  assert.equal((await take([narrow, wide])).near, [0, 0]);
}

const countings = [
  ["evenly", gcra, [3_600, 1_800]],
  ["in windows", slidingWindow, [3_660, 3_660]],
] as const;

for (const [how, counting, waits] of countings) {
  Limits(`that count ${how} charge nothing when another limit refuses, and accept refunds`, async () => {
    await showCharges(
      counting.createLocal(() => 1_000),
      "a",
      waits,
    );
  });

  withRedis(`that count ${how} apply to several charges at once in Redis, too`, async () => {
    const connection = await connectUsable();
    await showCharges(createSharedLimiter(connection, counting, counting.createLocal()), `shared ${how}`, waits);
    connection.close();
  });

  withRedis(`that count ${how} store keys in Redis no longer than they count`, async () => {
    const connection = await connectUsable();
    const limiter = createSharedLimiter(connection, counting, counting.createLocal());
    const charge = { limit: "short", key: "k", rate: { times: 2, seconds: 10 } };
    const { giveBack } = await limiter.take([charge]);
    const left = async () => Number((await redis?.send(`PTTL ${counting.prefix}:short:k`))?.slice(1));
    const before = await left();
    assert.ok(before > 0 && before <= (counting === gcra ? 5_000 : 10_167), `${before}`);
    await giveBack([charge]);
    assert.is(await left(), -2);
    connection.close();
  });
}

withRedis("that count in windows allow the same in Redis, and each again after its part of the period", async () => {
  const connection = await connectUsable();
  const limiter = createSharedLimiter(connection, slidingWindow, slidingWindow.createLocal());
  const rate = { times: 2, seconds: 2 };
  assert.equal([await take(limiter, rate, "w"), await take(limiter, rate, "w")], [0, 0]);
  const wait = await take(limiter, rate, "w");
  assert.ok(wait > 0 && wait <= 3, `${wait}`);
  await eventually("one is allowed again", async () => (await take(limiter, rate, "w")) === 0);
  connection.close();
});

Limits("count IPv6 addresses by /64, IPv4 ones singly, in any spelling, and other texts as they are", () => {
  const keys = {
    "192.0.2.7": "192.0.2.7",
    "::ffff:192.0.2.7": "192.0.2.7",
    "::FFFF:c000:207": "192.0.2.7",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:0DB8:0001:0002::1": "2001:db8:1:2::/64",
    "2001:db8:1:2::%eth0": "2001:db8:1:2::/64",
    "2001:db8::1": "2001:db8:0:0::/64",
    "::1": "0:0:0:0::/64",
    "::": "0:0:0:0::/64",
    "1::": "1:0:0:0::/64",
    "::ffff:0:192.0.2.7": "192.0.2.7",
    "64:ff9b::192.0.2.7": "192.0.2.7",
    "[64:ff9b::c000:207]:443": "192.0.2.7",
    "64:ff9b:0:0:0:1:c000:207": "64:ff9b:0:0::/64",
    "64:ff9b:1:fffe::192.0.2.7": "64:ff9b:1:fffe:0:0:c000:207",
    "64:ff9b:1:c000:2:700::": "64:ff9b:1:c000:2:700:0:0",
    "2002:c000:207:1::5": "192.0.2.7",
    "2002:c000:207:2::5": "192.0.2.7",
    "192.0.2.7:5678": "192.0.2.7",
    "[2001:db8::1]:443": "2001:db8:0:0::/64",
    "[::1]": "0:0:0:0::/64",
    unknown: "unknown",
    "1.2.3": "1.2.3",
    "2001:db8:::1": "2001:db8:::1",
  };
  for (const [address, key] of Object.entries(keys)) assert.is(addressKey(address), key, address);
  assert.is(addressKey(""), undefined);
});

withRedis("are shared by all processes with one Redis, and counted by each alone while it is unavailable", async () => {
  const rate = { times: 4, seconds: 3_600 };
  const connections = [connect(), connect()];
  const [one, two] = connections.map((each) => createSharedLimiter(each, gcra, gcra.createLocal()));
  /** Whether each of these attempts is refused. */
  const refused = async (limiter: RateLimiter | undefined, ...keys: string[]) => {
    const outcomes: boolean[] = [];
    for (const key of keys) outcomes.push((await take(limiter as RateLimiter, rate, key)) > 0);
    return outcomes;
  };
  const usable = (up: boolean) =>
    eventually(`Redis is ${up ? "there" : "away"}`, async () => {
      const answers = await Promise.all(connections.map(isThere));
      return answers.every((there) => there === up);
    });
  try {
    await usable(true);
    assert.equal(await refused(one, "a", "a"), [false, false]);
    assert.equal(await refused(two, "a", "a", "a", "b"), [false, false, true, false]);
    assert.equal(await refused(one, "a"), [true]);

    await redis?.kill();
    await usable(false);
    // Each had allowed two, and allows two more.
    assert.equal(await refused(one, "a", "a", "a"), [false, false, true]);
    assert.equal(await refused(two, "a"), [false]);

    await redis?.restart();
    await usable(true);
    // It came back without its counts: what each has let through still counts, and what one refuses costs the others nothing.
    assert.equal(await refused(one, "a", "a", "a"), [true, true, true]);
    assert.equal(await refused(two, "a", "a"), [false, true]);
    const three = createSharedLimiter(connections[0] as LimitsRedis, gcra, gcra.createLocal());
    assert.equal(await refused(three, "a", "a", "a", "a"), [false, false, false, true]);
    assert.equal(await refused(one, "c", "c", "c"), [false, false, false]);
    assert.equal(await refused(two, "c", "c"), [false, true]);
  } finally {
    for (const each of connections) each.close();
  }
});

Limits.run();

function connect(): LimitsRedis {
  return connectLimitsRedis(redis?.url as string, log, 5_000);
}

async function connectUsable(): Promise<LimitsRedis> {
  const connection = connect();
  await eventually("Redis is usable", () => isThere(connection));
  return connection;
}

async function isThere(connection: LimitsRedis): Promise<boolean> {
  const [answer] = (await connection.run("return {7}", [], [])) ?? [];
  return answer === 7;
}
