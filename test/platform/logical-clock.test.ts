import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createLog } from "../../services/platform/log.ts";
import type { KeyGroup, RedisClient } from "../../services/platform/redis/client.ts";
import { connectRedis, type RedisConnection } from "../../services/platform/redis/connection.ts";
import {
  advanceClock,
  type ClockWriter,
  followClock,
  tickWindowMs,
} from "../../services/platform/redis/logical-clock.ts";
import { createTickLog } from "../../services/platform/redis/tick-log.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedis, type TestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";

const Clock = suite("the logical clock in Redis");
const [one, other] = [(await startTestRedis()) as TestRedis, (await startTestRedis()) as TestRedis];
const test = one && other ? Clock : Clock.skip;
if (!one || !other) console.log("!! No redis-server on this machine: the logical clock was tested without Redis ONLY.");
Clock.after(async () => {
  await one?.stop();
  await other?.stop();
});

Clock("dates a tick by the read before it", () => {
  const log = createTickLog(100);
  for (const askedAt of [-20, 0]) log.note("a", askedAt, 1);
  assert.ok(log.recentUntil("a", 1) < 0, "the age of the first is unknown");
  log.note("b", 20, 1);
  log.note("b", 40, 1);
  assert.is(log.recentUntil("b", 1), 100);
  log.note("c", 60, 1);
  assert.equal([log.recentUntil("c", 1), log.recentUntil("d", 1)], [140, Number.NEGATIVE_INFINITY]);
});

Clock("forgets a tick that is older than the window, also while it stays", () => {
  const log = createTickLog(100);
  for (const [tick, askedAt] of [
    ["a", 0],
    ["b", 20],
    ["b", 121],
    ["b", 122],
  ] as const) {
    log.note(tick, askedAt, 1);
  }
  assert.is(log.recentUntil("b", 1), Number.NEGATIVE_INFINITY);
});

Clock("does not count a tick as newer when it returns, or across connections", () => {
  const log = createTickLog(100);
  for (const [index, tick] of ["a", "b", "c", "b"].entries()) log.note(tick, index * 10, 1);
  assert.ok(log.recentUntil("b", 1) < 101, "as old as when it was first seen");
  // Before the first poll on another connection, which may lead to a server with older contents, and after it.
  assert.is(log.recentUntil("c", 2), Number.NEGATIVE_INFINITY);
  log.note("d", 40, 2);
  assert.equal([log.recentUntil("c", 2) >= 40, log.recentUntil("d", 2) >= 40], [false, false]);
  log.note("e", 50, 2);
  assert.is(log.recentUntil("e", 2), 140);
});

/** A connection of which the test answers the polls, after the first `unanswered` ones. */
function fakeConnection(unanswered = 0) {
  const state = { number: 1, tick: "place.first", answered: Promise.resolve(), replaced: [] as (string | undefined)[] };
  let polls = 0;
  const evalAll = async (_script: string, [group]: readonly KeyGroup[]) => {
    state.replaced.push(group?.arguments[0]);
    await state.answered;
    return [state.tick];
  };
  const background = (work: (redis: RedisClient) => Promise<unknown>) =>
    ++polls > unanswered ? work({ evalAll } as RedisClient) : new Promise(() => {});
  const connection = { generation: () => state.number, background } as Partial<RedisConnection> as RedisConnection;
  return { state, connection };
}

Clock("stamps with a tick once another poll has found it, too, as readers have by then", async () => {
  // The clock's own polls have no end.
  const { state, connection } = fakeConnection(1);
  const clock = advanceClock(connection, 1_000);
  const stampAfterPoll = async () => {
    await clock.poll();
    return clock.stamp();
  };
  assert.equal([await stampAfterPoll(), await stampAfterPoll()], [undefined, "place.first"]);
  state.tick = "place.second";
  assert.equal([await stampAfterPoll(), await stampAfterPoll()], ["place.first", "place.second"]);
  void clock.close();
});

Clock("has neither a place nor a stamp on another connection before its first poll", async () => {
  const { state, connection } = fakeConnection(1);
  const clock = advanceClock(connection, 1_000);
  const known = () => [clock.place(), clock.stamp()];
  for (let polls = 0; polls < 2; polls++) await clock.poll();
  assert.equal(known(), ["place", "place.first"]);
  state.number = 2;
  assert.equal(known(), [undefined, undefined]);
  state.tick = "elsewhere.first";
  await clock.poll();
  assert.equal(known(), ["elsewhere", undefined]);
  void clock.close();
});

Clock("replaces a tick at the second poll after it was seen, so that every reader polls it", async () => {
  const { state, connection } = fakeConnection(1);
  const realNow = performance.now;
  let now = 0;
  performance.now = () => now;
  try {
    const clock = advanceClock(connection, 1_000);
    for (; now <= 200; now += 50) {
      if (now === 100) state.tick = "place.second";
      await clock.poll();
    }
    void clock.close();
  } finally {
    performance.now = realNow;
  }
  assert.equal(state.replaced, ["", "", "place.first", "", "place.second"]);
});

Clock("dates a reader's tick by the beginning of the poll before it, on the same connection", async () => {
  const { state, connection } = fakeConnection();
  let answer = () => {};
  state.answered = new Promise((resolve) => (answer = resolve));
  const reader = followClock(connection, 1_000);
  const begun = performance.now();
  await sleep(5);
  answer();
  // The poll has its answer a turn later.
  await new Promise(setImmediate);
  state.tick = "place.second";
  await eventually("the second tick", async () => reader.isRecent("place.second"));
  assert.ok(reader.recentUntil("place.second") <= begun + tickWindowMs(1_000));
  assert.not(reader.isRecent("place.first"), "its age is unknown");
  state.number = 2;
  assert.is(reader.recentUntil("place.second"), Number.NEGATIVE_INFINITY);
  await reader.close();
});

const connect = (url: string) => connectRedis([url], "test", createLog("test", "silent"), 5_000);
const running = (clock: ClockWriter) => eventually("the first tick", async () => clock.stamp() !== undefined);

test("is advanced by any social process, is followed by readers, and has one place for all of them", async () => {
  const [first, second, third] = [connect(one.url), connect(one.url), connect(other.url)];
  const keepers = [advanceClock(first, 1_000), advanceClock(second, 1_000), advanceClock(third, 1_000)] as const;
  const [reader, readerElsewhere] = [followClock(second, 1_000), followClock(third, 1_000)];
  await Promise.all(keepers.map(running));
  assert.is(keepers[0].place(), keepers[1].place());
  assert.is.not(keepers[0].place(), keepers[2].place());
  await eventually("a tick that the reader knows", async () => reader.isRecent(keepers[0].stamp() ?? ""));
  assert.not(readerElsewhere.isRecent(keepers[0].stamp() ?? ""));
  const old = keepers[0].stamp() ?? "";
  await eventually("the tick is too old", async () => !reader.isRecent(old));

  // After a flush it is the same place; when no process advances the clock no tick is recent.
  const place = keepers[0].place();
  await one.send("FLUSHALL");
  const flushed = keepers[0].stamp();
  await eventually("the next tick", async () => keepers[0].stamp() !== flushed);
  assert.equal([keepers[0].place(), keepers[1].place()], [place, place]);
  await Promise.all(keepers.map((keeper) => keeper.close()));
  const last = (await one.send("GET freshness:clock")).split("\r\n")[1] ?? "";
  await eventually("no tick is recent", async () => !reader.isRecent(last));
  for (const clock of [reader, readerElsewhere]) await clock.close();
  for (const connection of [first, second, third]) connection.close();
});

test("has the same place after a reconnection only if the clock is still in Redis", async () => {
  const proxy = await startFaultProxy(one.port);
  const connection = connect(`redis://127.0.0.1:${proxy.port}`);
  const keeper = advanceClock(connection, 1_000);
  await running(keeper);
  const place = keeper.place();
  for (const isFlushed of [false, true]) {
    const number = connection.generation();
    proxy.refuse();
    await eventually("the end of the connection", async () => !connection.isUsable());
    if (isFlushed) await one.send("FLUSHALL");
    proxy.heal();
    await eventually("another connection", async () => connection.generation() > number && connection.isUsable());
    await running(keeper);
    assert.is(keeper.place() === place, !isFlushed);
  }
  await keeper.close();
  connection.close();
  await proxy.close();
});

test("is advanced in a Redis that refuses INFO, where all processes have one place as well", async () => {
  const refusing = (await startTestRedis()) as TestRedis;
  await refusing.send("ACL SETUSER default -info");
  const connections = [connect(refusing.url), connect(refusing.url)];
  const keepers = connections.map((connection) => advanceClock(connection, 1_000));
  await Promise.all(keepers.map(running));
  assert.is(keepers[0]?.place(), keepers[1]?.place());
  const old = keepers[0]?.stamp();
  await eventually("the next tick", async () => keepers[0]?.stamp() !== old);
  await Promise.all(keepers.map((keeper) => keeper.close()));
  for (const connection of connections) connection.close();
  await refusing.stop();
});

// As after a failover: the old primary may still be one, with readers of its own.
test("has another place at a server that has the clock of another one", async () => {
  let port = one.port;
  const proxy = await startFaultProxy(() => port);
  const connection = connect(`redis://127.0.0.1:${proxy.port}`);
  const keeper = advanceClock(connection, 1_000);
  await running(keeper);
  const place = keeper.place();
  const number = connection.generation();
  await other.send(`SET freshness:clock ${keeper.stamp()}`);
  port = other.port;
  proxy.refuse();
  proxy.heal();
  await eventually("a connection to it", async () => connection.generation() > number && connection.isUsable());
  await running(keeper);
  assert.is.not(keeper.place(), place);
  await keeper.close();
  connection.close();
  await proxy.close();
});

// As with a full disk, it goes on answering each PING.
test("has no place while Redis does not let it be advanced", async () => {
  const connection = connect(one.url);
  const keeper = advanceClock(connection, 1_000);
  await running(keeper);
  const place = keeper.place();
  await one.send("CONFIG SET min-replicas-to-write 1");
  try {
    await eventually("no place", async () => keeper.place() === undefined);
    assert.ok(connection.isUsable());
  } finally {
    await one.send("CONFIG SET min-replicas-to-write 0");
  }
  await eventually("the place", async () => keeper.place() === place);
  await keeper.close();
  connection.close();
});

test("does not count for a reader at a replica, which a drop reaches late", async () => {
  const options = ["--replicaof", "127.0.0.1", `${one.port}`, "--repl-diskless-load", "on-empty-db"];
  const replica = (await startTestRedis(options)) as TestRedis;
  const [writing, atPrimary, atReplica] = [connect(one.url), connect(one.url), connect(replica.url)];
  const keeper = advanceClock(writing, 1_000);
  const [reader, readerOfReplica] = [followClock(atPrimary, 1_000), followClock(atReplica, 1_000)];
  await running(keeper);
  const copied = () => replica.send("GET freshness:clock");
  await eventually("a tick at the replica", async () => (await copied()).includes(keeper.place() ?? "none"));
  // It came with the other contents. A primary sends what has changed since up to a second later.
  const first = await copied();
  await eventually("another tick at the replica", async () => (await copied()) !== first);
  // A tick of three polls later, so that the reader has seen the change to it.
  for (let tick = 0; tick < 3; tick++) {
    const known = keeper.stamp() ?? "";
    await eventually("the next tick", async () => keeper.stamp() !== known);
    await eventually("a tick that the reader knows", async () => reader.isRecent(keeper.stamp() ?? ""));
    assert.not(readerOfReplica.isRecent(keeper.stamp() ?? ""));
  }
  await Promise.all([keeper.close(), reader.close(), readerOfReplica.close()]);
  for (const connection of [writing, atPrimary, atReplica]) connection.close();
  await replica.stop();
});

Clock.run();
