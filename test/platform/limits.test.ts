import { suite } from "uvu";
import * as assert from "uvu/assert";
import { addressKey } from "../../services/platform/limits/address-key.ts";
import { connectLimitsRedis, type LimitsRedis } from "../../services/platform/limits/limits-redis.ts";
import { createLocalLimiter } from "../../services/platform/limits/local-limiter.ts";
import type { Rate, RateLimiter } from "../../services/platform/limits/rate-limiter.ts";
import { createSharedLimiter } from "../../services/platform/limits/shared-limiter.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { startTestRedis } from "../support/redis.ts";

const Limits = suite("limits");
const redis = await startTestRedis();
if (redis === undefined) console.warn("\n!!! SKIPPED: no redis-server here; shared limits are not tested !!!\n");
const withRedis = redis === undefined ? Limits.skip : Limits;
Limits.after(() => redis?.stop());

const log = createLog("test", "silent");

/** Takes one for a key, and says how long to wait. */
async function take(limiter: RateLimiter, rate: Rate, key: string): Promise<number> {
  const [wait] = await limiter.take([{ limit: "try", key, rate }]);
  return wait as number;
}

Limits("give so many at once, then one after each part of the time, and say how long to wait", async () => {
  let now = 1_000;
  const limiter = createLocalLimiter(() => now);
  const rate = { times: 3, seconds: 60 };
  const takes = async (count: number) => {
    const waits = [];
    for (let index = 0; index < count; index++) waits.push(await take(limiter, rate, "a"));
    return waits;
  };
  assert.equal(await takes(5), [0, 0, 0, 20, 20]);
  assert.is(await take(limiter, rate, "b"), 0);
  now += 19_001;
  assert.equal(await takes(1), [1]);
  now += 999;
  assert.equal(await takes(2), [0, 20]);
  now += 3_600_000;
  assert.equal(await takes(4), [0, 0, 0, 20]);
});

/** What several charges at once and giving back mean, for either kind of limiter. */
async function showCharges(limiter: RateLimiter, key: string): Promise<void> {
  const narrow = { limit: "narrow", key, rate: { times: 1, seconds: 3_600 } };
  const wide = { limit: "wide", key, rate: { times: 2, seconds: 3_600 } };
  assert.equal(await limiter.take([narrow, wide]), [0, 0]);
  for (let refused = 0; refused < 3; refused++) assert.equal(await limiter.take([narrow, wide]), [3_600, 0]);
  assert.equal(await limiter.take([wide]), [0]);
  assert.equal(await limiter.take([narrow, wide]), [3_600, 1_800]);
  await limiter.giveBack([narrow]);
  for (let refused = 0; refused < 3; refused++) assert.equal(await limiter.take([narrow, wide]), [0, 1_800]);
  await limiter.giveBack([wide, { ...wide, key: `${key} never taken` }]);
  assert.equal(await limiter.take([narrow, wide]), [0, 0]);
}

Limits("take nothing of one limit for what another one refuses, and take back what is given back", async () => {
  await showCharges(
    createLocalLimiter(() => 1_000),
    "a",
  );
});

Limits("count IPv6 by the /64, IPv4 by itself however it is written, and nothing else", () => {
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
    "64:ff9b::192.0.2.7": "64:ff9b:0:0::/64",
  };
  for (const [address, key] of Object.entries(keys)) assert.is(addressKey(address), key, address);
  for (const text of ["", "localhost", "1.2.3", "1.2.3.4.5", "2001:db8:::1", "[::1]"])
    assert.is(addressKey(text), undefined);
});

withRedis("are shared by all processes on one Redis, and counted alone while it is away", async () => {
  const rate = { times: 4, seconds: 3_600 };
  const connections = [connect(), connect()];
  const [one, two] = connections.map((each) => createSharedLimiter(each, createLocalLimiter()));
  const wait = (limiter: RateLimiter | undefined, key: string) => take(limiter as RateLimiter, rate, key);
  const usable = (up: boolean) =>
    eventually(`Redis is ${up ? "there" : "away"}`, async () => {
      const answers = await Promise.all(connections.map(isThere));
      return answers.every((there) => there === up);
    });
  try {
    await usable(true);
    for (let index = 0; index < 2; index++) {
      assert.equal([await wait(one, "a"), await wait(two, "a")], [0, 0]);
    }
    assert.equal([await wait(one, "a"), await wait(two, "a"), await wait(two, "b")], [900, 900, 0]);

    await redis?.kill();
    await usable(false);
    // Each had let two through, and has two more.
    assert.equal([await wait(one, "a"), await wait(one, "a"), await wait(one, "a")], [0, 0, 900]);
    assert.is(await wait(two, "a"), 0);

    await redis?.restart();
    await usable(true);
    for (let index = 0; index < 2; index++) assert.equal([await wait(one, "c"), await wait(two, "c")], [0, 0]);
    assert.equal([await wait(one, "c"), await wait(two, "c")], [900, 900]);
  } finally {
    for (const each of connections) each.close();
  }
});

withRedis("hold on one Redis as well for several charges at once", async () => {
  const connection = connect();
  await eventually("Redis is there", () => isThere(connection));
  await showCharges(createSharedLimiter(connection, createLocalLimiter()), "shared");
  connection.close();
});

withRedis("leave nothing in Redis for longer than it counts, and no name", async () => {
  const connection = connect();
  const limiter = createSharedLimiter(connection, createLocalLimiter());
  await eventually("Redis is there", () => isThere(connection));
  const charge = { limit: "short", key: "k", rate: { times: 2, seconds: 10 } };
  await limiter.take([charge]);
  const left = async () => Number((await redis?.send("PTTL limit:short:k"))?.slice(1));
  const before = await left();
  assert.ok(before > 0 && before <= 5_000, `${before}`);
  await limiter.giveBack([charge]);
  assert.is(await left(), -2);
  connection.close();
});

Limits.run();

function connect(): LimitsRedis {
  return connectLimitsRedis(redis?.url as string, log, 5_000);
}

async function isThere(connection: LimitsRedis): Promise<boolean> {
  const [answer] = (await connection.run("return {7}", [], [])) ?? [];
  return answer === 7;
}
