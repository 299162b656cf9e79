import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { connectLimitsRedis } from "../../services/platform/limits/limits-redis.ts";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis, type RedisConnection, RedisUnavailable } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedis, startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { startTestRedisCluster, startWiredRedisCluster } from "../support/redis-cluster.ts";
import { suite } from "../support/suite.ts";

const Redis = suite("redis");
const redis = (await startTestRedisFor("an unavailable Redis")) as TestRedis;
const test = redis ? Redis : Redis.skip;
const quiet = createLog("test", "silent");
Redis.after(async () => redis?.stop());

/** Opens a connection through a new proxy, and waits until it is usable. */
async function open(timeoutMs = 50) {
  const proxy = await startFaultProxy(redis.port);
  const connection = connectRedis([`redis://127.0.0.1:${proxy.port}`], "test", quiet, timeoutMs);
  await eventually("Redis", async () => connection.isUsable());
  const close = async () => {
    connection.close();
    await proxy.close();
  };
  return { proxy, connection, close };
}

/** A log, and the lines that are written to it. */
function collectLines() {
  const lines: string[] = [];
  return { lines, log: createLog("test", "info", { write: (line) => void lines.push(line) }) };
}

const read = (connection: RedisConnection, key: string) => connection.run((commands) => commands.get(key));

/** Whether Redis answers within 50 ms that a key does not exist; on a busy machine it may take longer. */
async function isUnknown(connection: RedisConnection, key: string): Promise<boolean> {
  return (await read(connection, key).catch(() => "")) === null;
}

test("replaces a connection on which no replies arrive", async () => {
  const { proxy, connection, close } = await open();
  proxy.strand();
  assert.is(await read(connection, "stranded").catch(({ name }: Error) => name), "RedisUnavailable");
  const start = performance.now();
  await eventually("Redis is usable by another connection", async () => connection.isUsable());
  assert.ok(performance.now() - start < 5_000, `${performance.now() - start} ms`);
  await eventually("a reply", () => isUnknown(connection, "stranded"));
  await close();
});

test("logs once why Redis is unavailable from the start, and when it is available", async () => {
  const guarded = (await startTestRedis(["--requirepass", "open-sesame"])) as TestRedis;
  const far = await startFaultProxy(guarded.port);
  far.delay(100);
  const { lines, log } = collectLines();
  const said = () => lines.map((line) => JSON.parse(line) as { msg: string; err?: { message: string } });
  const connection = connectRedis([`redis://127.0.0.1:${far.port}`], "test", log, 1_000);
  await eventually("the log line", async () => said().length > 0);
  await sleep(500);
  assert.equal([said().map(({ msg }) => msg), connection.isUsable()], [["Redis is unavailable"], false]);
  assert.match(said()[0]?.err?.message ?? "", "NOAUTH");
  connection.close();
  await far.close();
  await guarded.stop();
});

test("sends nothing to a Redis that did not answer until it answers again", async () => {
  const { proxy, connection, close } = await open();
  proxy.stall();
  const error = await read(connection, "x").catch((reason: unknown) => reason);
  assert.instance(error, RedisUnavailable);
  assert.not.ok(connection.isUsable());
  assert.instance(await read(connection, "x").catch((reason: unknown) => reason), RedisUnavailable);
  proxy.heal();
  await eventually("Redis again", async () => connection.isUsable());
  await eventually("a reply", () => isUnknown(connection, "never"));
  await close();
});

test("reconnects to a restarted Redis", async () => {
  const { connection, close } = await open();
  await redis.kill();
  await eventually("the connection is unusable", async () => !connection.isUsable());
  await redis.restart();
  await eventually("Redis again", async () => connection.isUsable());
  await close();
});

test("uses all nodes of a Redis Cluster, is unavailable when one is, and reconnects", async () => {
  const cluster = await startTestRedisCluster();
  assert.ok(cluster);
  const [one, two] = cluster.nodes as [TestRedis, TestRedis];
  const connection = connectRedis(cluster.url.split(","), "test", quiet, 1_000);
  await eventually("the cluster", async () => connection.isUsable());
  const keys = Array.from({ length: 40 }, (_, index) => `page:${index}`);
  const readAll = () => Promise.all(keys.map((key) => read(connection, key)));
  await connection.run((commands) => Promise.all(keys.map((key) => commands.set(key, `of ${key}`))));
  for (const [index, value] of (await readAll()).entries()) assert.is(value, `of ${keys[index]}`);
  const counts = await Promise.all(cluster.nodes.map(async (node) => Number((await node.send("DBSIZE")).slice(1))));
  assert.ok(counts.every((count) => count > 0) && counts[0]! + counts[1]! + counts[2]! === keys.length, `${counts}`);

  await two.kill();
  await eventually("it is unavailable", async () => {
    await readAll().catch(() => {});
    return !connection.isUsable();
  });
  await two.restart();
  await eventually("it is there", async () => connection.isUsable() && (await readAll().catch(() => [])).length > 0);
  assert.ok(await one.send("PING"));
  connection.close();
  await cluster.stop();
});

test("leaves no connection open, at whatever moment it is closed", async () => {
  const cluster = await startWiredRedisCluster();
  assert.ok(cluster);
  const urls = cluster.url.split(",");
  const clients = async () => (await Promise.all(cluster.nodes.map((node) => node.send("CLIENT LIST")))).join();
  for (const proxy of cluster.proxies) proxy.delay(15);
  for (const ofCluster of [false, true]) {
    for (let delayMs = 0; delayMs <= 240; delayMs += 8) {
      const connection = connectRedis(ofCluster ? urls : urls.slice(0, 1), "closing", quiet, 1_000);
      if (delayMs > 0) await sleep(delayMs);
      connection.close();
    }
  }
  await eventually("the end of every connection", async () => !(await clients()).includes(" name=closing "));
  await sleep(1_500);
  assert.not.match(await clients(), / name=closing /);
  await cluster.stop();
});

test("opens one connection at a time to a host that does not answer", async () => {
  const silent = (await startTestRedis(["--tcp-backlog", "1"])) as TestRedis;
  process.kill(silent.pid(), "SIGSTOP");
  // More than its backlog, so that a new connection is neither accepted nor refused.
  const others = Array.from({ length: 4 }, () => connect(silent.port, "127.0.0.1").on("error", () => {}));
  await sleep(300);
  const tries = () => process.getActiveResourcesInfo().filter((name) => name === "ConnectWrap").length;
  const before = tries();
  const connection = connectRedis([silent.url], "silent", quiet, 50);
  let most = 0;
  for (let look = 0; look < 60; look++) {
    await sleep(100);
    most = Math.max(most, tries() - before);
  }
  connection.close();
  for (const socket of others) socket.destroy();
  process.kill(silent.pid(), "SIGCONT");
  await silent.stop();
  // The abandoned attempt, until its second has passed, and the next one.
  assert.ok(most === 1 || most === 2, `${most} at once`);
});

for (const isCluster of [false, true]) {
  const what = isCluster ? "a Redis Cluster" : "a Redis";
  test(`of ${what} assigns no reply to another command after one that cannot be parsed`, async () => {
    const cluster = isCluster ? await startWiredRedisCluster() : undefined;
    const proxies = cluster?.proxies ?? [await startFaultProxy(redis.port)];
    const urls = cluster?.url.split(",") ?? [`redis://127.0.0.1:${proxies[0]?.port}`];
    const connection = connectRedis(urls, "test", quiet, 1_000);
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
    const { lines, log } = collectLines();
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
  const url = `redis://127.0.0.1:${address.port}`;
  const connection = connectRedis([url], "test", quiet, 1_000);
  const limits = connectLimitsRedis(url, quiet, 1_000);
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

test("counts limits in the database that the URL names, and in no other when there is none of that number", async () => {
  const counting = (await startTestRedis()) as TestRedis;
  const { lines, log } = collectLines();
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
  const connection = connectRedis([redis.url], "test", quiet, 1_000);
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
  const connection = connectRedis([replica.url], "test", quiet, 1_000);
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

Redis.run();
