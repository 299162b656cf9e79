import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { connectLimitsRedis } from "../../services/platform/limits/limits-redis.ts";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedis, startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { startWiredRedisCluster } from "../support/redis-cluster.ts";
import { suite } from "../support/suite.ts";

const Refusing = suite("a Redis that refuses or answers nonsense");
const redis = (await startTestRedisFor("a Redis that refuses")) as TestRedis;
const test = redis ? Refusing : Refusing.skip;
Refusing.after(async () => redis?.stop());

for (const isCluster of [false, true]) {
  const what = isCluster ? "a Redis Cluster" : "a Redis";
  test(`of ${what} assigns no reply to another command after one that cannot be parsed`, async () => {
    const cluster = isCluster ? await startWiredRedisCluster() : undefined;
    const proxies = cluster?.proxies ?? [await startFaultProxy(redis.port)];
    const urls = cluster?.url.split(",") ?? [`redis://127.0.0.1:${proxies[0]?.port}`];
    const connection = connectRedis(urls, "test", createLog("test", "silent"), 1_000);
    const keys = Array.from({ length: 20 }, (_, index) => `key${index}`);
    const write = () => connection.run((commands) => Promise.all(keys.map((key) => commands.set(key, key))));
    await eventually("the keys", () =>
      write().then(
        () => true,
        () => false,
      ),
    );
    const readAll = async () => {
      const found = keys.map(async (key) => connection.run((commands) => commands.get(key)).catch(() => key));
      assert.equal(await Promise.all(found), keys);
    };
    for (let time = 0; time < 3; time++) {
      await eventually("Redis", async () => connection.isUsable());
      await readAll();
      for (const proxy of proxies) proxy.insert("*99999999999\r\n");
      while (connection.isUsable()) {
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

// As after a failover that an address follows: the old primary goes on answering each PING.
test("is replaced by the server that its address leads to, once it has become a replica", async () => {
  const [old, promoted] = [(await startTestRedis()) as TestRedis, (await startTestRedis()) as TestRedis];
  let port = old.port;
  const address = await startFaultProxy(() => port);
  const log = createLog("test", "silent");
  const connection = connectRedis([`redis://127.0.0.1:${address.port}`], "test", log, 1_000);
  const limits = connectLimitsRedis(`redis://127.0.0.1:${address.port}`, log, 1_000);
  const script = "redis.call('SET', KEYS[1], 'written') return {}";
  const poll = () => connection.background((commands) => commands.set("poll", "written")).catch(() => {});
  const count = () => limits.run(script, ["count"], []);
  await eventually("both are connected", async () => connection.isUsable() && (await count()) !== undefined);
  port = promoted.port;
  // Of a primary that it cannot reach.
  await old.send("REPLICAOF 127.0.0.1 1");
  const there = (key: string) => promoted.send(`EXISTS ${key}`).then((reply) => reply.startsWith(":1"));
  await eventually("both write there", async () => {
    await Promise.all([poll(), count()]);
    return (await there("poll")) && (await there("count"));
  });
  connection.close();
  limits.close();
  await address.close();
  await old.stop();
  await promoted.stop();
});

test("does not fill the log by refusing one command and answering others", async () => {
  const refusing = (await startTestRedis(["--rename-command", "GET", ""])) as TestRedis;
  const lines: string[] = [];
  const log = createLog("test", "info", { write: (line) => void lines.push(line) });
  const connection = connectRedis([refusing.url], "test", log, 1_000);
  for (let time = 0; time < 12; time++) {
    await eventually("Redis", async () => connection.isUsable());
    await connection.run((commands) => commands.get("a")).catch(() => {});
  }
  connection.close();
  await refusing.stop();
  assert.is(lines.length, 10);
});

test("counts limits in the database that the URL names, and in no other when there is none of that number", async () => {
  const counting = (await startTestRedis()) as TestRedis;
  const lines: string[] = [];
  const log = createLog("test", "info", { write: (line) => void lines.push(line) });
  const [third, missing] = [3, 99].map((database) => connectLimitsRedis(`${counting.url}/${database}`, log, 1_000));
  const run = async (limits: typeof third) => limits?.run("redis.call('SET', KEYS[1], 1) return {1}", ["key"], []);
  await eventually("the database", async () => (await run(third)) !== undefined);
  await eventually("a line about the missing one", async () => lines.length > 0);
  for (let time = 0; time < 10; time++) {
    assert.is(await run(missing), undefined);
    await sleep(10);
  }
  assert.match(lines.join(""), "DB index is out of range");
  assert.not.match(lines.join(""), "are counted in Redis");
  assert.match(await counting.send("INFO keyspace"), /^db3:keys=1,/m);
  assert.not.match(await counting.send("INFO keyspace"), "db0");
  third?.close();
  missing?.close();
  await counting.stop();
});

test("is not used again at once after a failure", async () => {
  const connection = connectRedis([redis.url], "test", createLog("test", "silent"), 1_000);
  await eventually("Redis", async () => connection.isUsable());
  const start = performance.now();
  await connection.run(() => Promise.reject(new Error("refused"))).catch(() => {});
  assert.not(connection.isUsable());
  await eventually("Redis again", async () => connection.isUsable());
  assert.ok(performance.now() - start > 99, `after ${performance.now() - start} ms`);
  connection.close();
});

test("is connected to again where it is a replica, but not sooner than after 1.5 s", async () => {
  const options = ["--replicaof", "127.0.0.1", `${redis.port}`, "--repl-diskless-load", "on-empty-db"];
  const replica = (await startTestRedis(options)) as TestRedis;
  const ids = async () =>
    [...(await replica.send("CLIENT LIST")).matchAll(/^id=(\d+) .* name=test /gm)].map(([, id]) => id);
  const start = performance.now();
  const connection = connectRedis([replica.url], "test", createLog("test", "silent"), 1_000);
  await eventually("a connection", async () => (await ids()).length > 0);
  const [first] = await ids();
  await eventually("another connection", async () => {
    await connection.run((commands) => commands.set("key", "value")).catch(() => {});
    const found = await ids();
    return found.length > 0 && !found.includes(first);
  });
  assert.ok(performance.now() - start > 1_499, `after ${performance.now() - start} ms`);
  connection.close();
  await replica.stop();
});

Refusing.run();
