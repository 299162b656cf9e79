import * as assert from "uvu/assert";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedis, startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";

const Changed = suite("keys that have changed in Redis");
const redis = (await startTestRedisFor("keys that Redis reports as changed")) as TestRedis;
const test = redis ? Changed : Changed.skip;
Changed.after(async () => redis?.stop());

/** Connects, and notes the keys that are reported from then on; null: any key may have changed. */
async function open(port: number) {
  const changes: (string | null)[] = [];
  const log = createLog("test", "silent");
  const connection = connectRedis([`redis://127.0.0.1:${port}`], "test", log, 5_000, (key) => changes.push(key));
  await eventually("Redis", async () => connection.isUsable());
  return { connection, changes: () => changes.splice(0) };
}

test("are reported before Redis confirms, however they changed", async () => {
  const { connection, changes } = await open(redis.port);
  assert.ok(connection.reportsChanges());
  for (const command of ["SET a 1", "APPEND a 2", "PEXPIRE a 100000", "DEL a", "SET a 3"]) {
    await connection.readAll(["a", "b"]);
    changes();
    await redis.send(command);
    await connection.confirm();
    assert.equal(changes(), ["a"], command);
  }
  await connection.readAll(["a"]);
  await redis.send("FLUSHALL");
  await connection.confirm();
  assert.equal(changes(), [null]);
  connection.close();
});

test("are those that were read since they were reported last", async () => {
  const { connection, changes } = await open(redis.port);
  await connection.readAll(["once"]);
  changes();
  for (const value of [1, 2]) await redis.send(`SET once ${value}`);
  await redis.send("SET never 1");
  await connection.confirm();
  assert.equal(changes(), ["once"]);
  connection.close();
});

test("may be any keys when a connection is made, since Redis did not report those that changed before", async () => {
  const { connection, changes } = await open(redis.port);
  assert.equal(changes(), [null]);
  connection.close();
});

test("may be any keys after the connection was lost", async () => {
  const proxy = await startFaultProxy(redis.port);
  const { connection, changes } = await open(proxy.port);
  await connection.readAll(["lost"]);
  changes();
  proxy.refuse();
  await eventually("the loss", async () => !connection.isUsable());
  await redis.send("SET lost 1");
  proxy.heal();
  await eventually("Redis again", async () => connection.isUsable());
  const all = changes();
  assert.ok(all.length > 1 && all.every((key) => key === null), "at the loss and at the new connection");
  assert.equal(await connection.readAll(["lost"]), ["1"]);
  connection.close();
  await proxy.close();
});

test("are not reported by a Redis that refuses to track them, which is used all the same", async () => {
  const strict = (await startTestRedis()) as TestRedis;
  await strict.send("ACL SETUSER default -client|tracking");
  const { connection, changes } = await open(strict.port);
  assert.not(connection.reportsChanges());
  await connection.readAll(["a"]);
  changes();
  await strict.send("SET a 1");
  await connection.confirm();
  assert.equal([changes(), await connection.readAll(["a"])], [[], ["1"]]);
  connection.close();
  await strict.stop();
});

test("are reported again when a Redis that refused to track them lets a new connection", async () => {
  const strict = (await startTestRedis()) as TestRedis;
  await strict.send("ACL SETUSER default -client|tracking");
  const { connection, changes } = await open(strict.port);
  const reconnect = async () => {
    const before = connection.generation();
    await strict.send("CLIENT KILL TYPE normal");
    await eventually("another connection", async () => connection.generation() > before && connection.isUsable());
  };
  await reconnect();
  assert.not(connection.reportsChanges());
  await strict.send("ACL SETUSER default +client|tracking");
  await reconnect();
  assert.ok(connection.reportsChanges());
  await connection.readAll(["a"]);
  changes();
  await strict.send("SET a 1");
  await connection.confirm();
  assert.equal(changes(), ["a"]);
  connection.close();
  await strict.stop();
});

Changed.run();
