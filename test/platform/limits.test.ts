import { suite } from "uvu";
import * as assert from "uvu/assert";
import { addressKey } from "../../services/platform/limits/address-key.ts";
import { connectLimitsRedis } from "../../services/platform/limits/limits-redis.ts";
import { createLocalAllowance } from "../../services/platform/limits/local-allowance.ts";
import { createSharedAllowance } from "../../services/platform/limits/shared-allowance.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { startTestRedis } from "../support/redis.ts";

const Limits = suite("limits");
const redis = await startTestRedis();
if (redis === undefined) console.warn("\n!!! SKIPPED: no redis-server here; shared limits are not tested !!!\n");
const withRedis = redis === undefined ? Limits.skip : Limits;
Limits.after(() => redis?.stop());

const log = createLog("test", "silent");

Limits("gives so many at once, then one after each part of the time, and says how long to wait", async () => {
  let now = 1_000;
  const allowance = createLocalAllowance({ times: 3, seconds: 60 }, () => now);
  const takes = async (count: number) => {
    const waits = [];
    for (let index = 0; index < count; index++) waits.push(await allowance.take("a"));
    return waits;
  };
  assert.equal(await takes(5), [0, 0, 0, 20, 20]);
  assert.is(await allowance.take("b"), 0);
  now += 19_001;
  assert.equal(await takes(1), [1]);
  now += 999;
  assert.equal(await takes(2), [0, 20]);
  now += 3_600_000;
  assert.equal(await takes(4), [0, 0, 0, 20]);
});

Limits("counts IPv6 by the /64, IPv4 by itself however it is written, and nothing else", () => {
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
  const connections = [0, 1].map(() => connectLimitsRedis(redis?.url as string, log, 5_000));
  const [one, two] = connections.map((each) => createSharedAllowance(each, createLocalAllowance(rate), "try", rate));
  const wait = (allowance: typeof one, key: string) => allowance?.take(key) as Promise<number>;
  const usable = (up: boolean) =>
    eventually(`Redis is ${up ? "there" : "away"}`, async () => {
      const answers = await Promise.all(connections.map((each) => each.run("return 7", "x")));
      return answers.every((answer) => (answer === 7) === up);
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

withRedis("leave nothing in Redis for longer than it counts, and no name", async () => {
  const connection = connectLimitsRedis(redis?.url as string, log, 5_000);
  const rate = { times: 2, seconds: 10 };
  const allowance = createSharedAllowance(connection, createLocalAllowance(rate), "short", rate);
  await eventually("Redis is there", async () => (await connection.run("return 7", "x")) === 7);
  await allowance.take("k");
  const left = Number((await redis?.send("PTTL limit:short:k"))?.slice(1));
  assert.ok(left > 0 && left <= 5_000, `${left}`);
  connection.close();
});

Limits.run();
