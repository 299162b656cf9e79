// What one process offers to readers, and what its writes wait for. Its clock is moved on by as long as tokens live.
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createAnnouncer } from "../../services/platform/freshness/announcer.ts";
import { waitMsFor } from "../../services/platform/freshness/announcer-registration.ts";
import type { OwnAnnouncer } from "../../services/platform/freshness/announcers.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { startTestRedis, startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { freshnessMs, openAnnouncers, other } from "./open-announcers.ts";

const Announcing = suite("an announcer");
const redis = (await startTestRedisFor("an announcer")) as TestRedis;
const test = redis ? Announcing : Announcing.skip;
const log = createLog("test", "silent");
const { services, announcers, pool, serviceId, forgetOthers, stop } = await openAnnouncers();

/** Milliseconds by which the monotonic clock of this process is ahead. */
let ahead = 0;
const realNow = performance.now;

Announcing.before(() => void (performance.now = () => realNow.call(performance) + ahead));
Announcing.before.each(async () => {
  ahead = 0;
  await forgetOthers();
});
Announcing.after(async () => {
  performance.now = realNow;
  await stop();
  await redis?.stop();
});

function openAt(redisUrls: string[]) {
  const databases = { databaseUrl: services.database.social, poolerUrl: undefined };
  return createAnnouncer({ redisUrls, freshnessMs, redisTimeoutMs: 5_000, ...databases }, announcers, "test", log);
}

/** An announcer, once it is at its place, and another process that registered before. */
async function open(url: string, otherRow?: Partial<OwnAnnouncer>) {
  const another = other({ place: "other", ...otherRow });
  if (otherRow) await announcers.upsert(pool, another);
  const announcer = openAt([url]);
  const place = async () => {
    const rows = await announcers.list(pool);
    return rows.find(({ id }) => id !== serviceId && id !== another.id)?.place ?? "";
  };
  await eventually("its place", async () => (await place()) !== "");
  return { announcer, place: await place() };
}

async function isDropped(...subjects: string[]): Promise<boolean> {
  const found = await redis.send(`EXISTS ${subjects.map((subject) => `fresh:{${subject}}`).join(" ")}`);
  return found.startsWith(":0");
}

test("offers a tick from before the states are read, where all are at its own place", async () => {
  const { announcer, place } = await open(redis.url);
  try {
    await eventually("an offer", async () => announcer.offer()(place).keepMs === freshnessMs);
    const nothing = { keepMs: 0, tick: "" };
    for (const agreed of [null, "", "other", place.slice(0, -1)]) assert.equal(announcer.offer()(agreed), nothing);
    const offered = announcer.offer();
    const { tick } = offered(place);
    await eventually("another tick", async () => announcer.offer()(place).tick !== tick);
    assert.equal(offered(place), { keepMs: freshnessMs, tick });
    // It may no longer be registered.
    ahead += 7_500;
    assert.equal(announcer.offer()(place), nothing);
  } finally {
    await announcer.close();
  }
});

test("drops what is announced while it drops something else", async () => {
  const proxy = await startFaultProxy(redis.port);
  const { announcer } = await open(`redis://127.0.0.1:${proxy.port}`);
  try {
    for (const subject of ["ann", "bob", "cid"]) await redis.send(`SET fresh:{${subject}} token`);
    proxy.delay(50);
    const first = [announcer.announce(["ann"]), announcer.announce(["bob"])];
    await sleep(10);
    await Promise.all([...first, announcer.announce(["cid"])]);
    assert.ok(await isDropped("ann", "bob", "cid"));
  } finally {
    await announcer.close();
    await proxy.close();
  }
});

/** Whether an announcement has ended a while after its first attempts. */
async function hasEnded(announced: Promise<void>): Promise<boolean> {
  const late = sleep(800).then(() => false);
  return Promise.race([announced.then(() => true), late]);
}

for (const [what, keep_ms] of [
  ["the same", freshnessMs],
  ["a longer", 10 * freshnessMs],
] as const) {
  test(`lets a write wait for the tokens of another process at another place, with ${what} lifetime`, async () => {
    const { announcer } = await open(redis.url, { keep_ms });
    try {
      const announced = announcer.announce(["ann"]);
      assert.not(await hasEnded(announced));
      if (keep_ms > freshnessMs) {
        ahead += waitMsFor(freshnessMs);
        assert.not(await hasEnded(announced), "they live longer");
      }
      ahead += waitMsFor(keep_ms);
      await announced;
    } finally {
      await announcer.close();
    }
  });
}

Announcing(
  "lets a write wait until it is registered: before, it does not know how long the tokens of others live",
  async () => {
    const lock = "lock table social.announcer in row exclusive mode";
    await whileUncommitted(services.database.social, [[lock]], async ({ waiting, commit }) => {
      const announcer = openAt([]);
      try {
        await waiting(1);
        const announced = announcer.announce(["ann"]);
        assert.not(await hasEnded(announced));
        ahead += 10 * waitMsFor(freshnessMs);
        assert.not(await hasEnded(announced));
        await commit();
        await announced;
      } finally {
        await announcer.close();
      }
    });
  },
);

for (const isReplaced of [false, true]) {
  test(`lets a write wait until all tokens have ended while its Redis is ${isReplaced ? "another one" : "lost"}`, async () => {
    const other = (await startTestRedis()) as TestRedis;
    let port = redis.port;
    const proxy = await startFaultProxy(() => port);
    const { announcer, place } = await open(`redis://127.0.0.1:${proxy.port}`);
    try {
      await announcer.announce(["ann"]);
      proxy.refuse();
      if (isReplaced) {
        port = other.port;
        proxy.heal();
      }
      const announced: Promise<void>[] = [];
      // Later ones may find the other Redis.
      for (let count = 0; count < 40; count++) {
        announced.push(announcer.announce(["ann"]));
        await sleep(20);
        const { tick } = announcer.offer()(place);
        assert.ok(tick === "" || tick.startsWith(`${place}.`), "a tick of the place where all announce");
      }
      assert.not(await hasEnded(Promise.race(announced)));
      ahead += waitMsFor(freshnessMs);
      await Promise.all(announced);
    } finally {
      await announcer.close();
      await proxy.close();
      await other.stop();
    }
  });
}

Announcing.run();
