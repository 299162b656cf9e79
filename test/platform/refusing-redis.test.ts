import { setTimeout as sleep } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectLimitsRedis } from "../../services/platform/limits/limits-redis.ts";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedis, startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { startWiredRedisCluster } from "../support/redis-cluster.ts";

const Refusing = suite("a Redis that refuses or answers nonsense");
const redis = (await startTestRedisFor("a Redis that refuses")) as TestRedis;
const test = redis ? Refusing : Refusing.skip;
Refusing.after(async () => redis?.stop());

for (const isCluster of [false, true]) {
  const what = isCluster ? "a Redis Cluster" : "a Redis";
  test(`of ${what} takes no reply for that of another command after one that is not understood`, async () => {
    const cluster = isCluster ? await startWiredRedisCluster() : undefined;
    const proxies = cluster?.proxies ?? [await startFaultProxy(redis.port)];
    const urls = cluster?.url.split(",") ?? [`redis://127.0.0.1:${proxies[0]?.port}`];
    const connection = connectRedis(urls, "test", createLog("test", "silent"), 1_000);
    const keys = Array.from({ length: 20 }, (_, index) => `key${index}`);
    const write = () =>
      connection.evalAll(
        "for _, key in ipairs(KEYS) do redis.call('SET', key, key) end return {}",
        keys.map((key) => ({ keys: [key], arguments: [] })),
      );
    await eventually("the keys", () =>
      write().then(
        () => true,
        () => false,
      ),
    );
    const readAll = async () => {
      const found = keys.map(async (key) => connection.readAll([key]).catch(() => [key]));
      assert.equal(
        await Promise.all(found),
        keys.map((key) => [key]),
      );
    };
    for (let time = 0; time < 3; time++) {
      await eventually("Redis", async () => connection.isUsable());
      await readAll();
      for (const proxy of proxies) proxy.insert("*99999999999\r\n");
      const before = connection.number();
      while (connection.number() === before) {
        await readAll();
        await sleep(5);
      }
    }
    connection.close();
    if (cluster) await cluster.stop();
    else await proxies[0]?.close();
  });
}

test("logs no password, whatever the reason why Redis refuses it", async () => {
  for (const options of [
    ["--requirepass", "another"],
    ["--rename-command", "HELLO", ""],
    ["--requirepass", "another", "--rename-command", "AUTH", ""],
  ]) {
    const refusing = (await startTestRedis(options)) as TestRedis;
    const url = `redis://:open-sesame@127.0.0.1:${refusing.port}`;
    const lines: string[] = [];
    const log = createLog("test", "info", { write: (line) => void lines.push(line) });
    const connection = connectRedis([url], "test", log, 1_000);
    const limits = connectLimitsRedis(url, log, 1_000);
    await eventually("the first line", async () => lines.length > 0);
    await limits.run("return {redis.call('UNKNOWN')}", ["open-sesame"], []);
    await sleep(500);
    assert.not.match(lines.join(""), "open-sesame");
    connection.close();
    limits.close();
    await refusing.stop();
  }
});

test("does not fill the log by refusing one command and answering others", async () => {
  const refusing = (await startTestRedis(["--rename-command", "MGET", ""])) as TestRedis;
  const lines: string[] = [];
  const log = createLog("test", "info", { write: (line) => void lines.push(line) });
  const connection = connectRedis([refusing.url], "test", log, 1_000);
  for (let time = 0; time < 12; time++) {
    await eventually("Redis", async () => connection.isUsable());
    await connection.readAll(["a"]).catch(() => {});
  }
  connection.close();
  await refusing.stop();
  assert.is(lines.length, 10);
});

Refusing.run();
