import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { publish, register } from "../support/people.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { startTwoGateways, type TwoGateways } from "./two-gateways.ts";

// Counters that other users change make a new state without a drop of its token, which lives for a minute here. A reply that no
// gateway caches shows them at once; then no cached reply may show the older ones (contract §9).
const Uncached = suite("a cached reply after one that is not cached");
const redis = await startTestRedisFor("whether cached replies follow those that are not cached");
const test = (redis ? Uncached : Uncached.skip) as typeof Uncached;
const counts = { "/social/bea": "followers_count", "/social/bea/timelines": "retweet_count" };
let system: TwoGateways;

Uncached.before(async () => {
  if (redis !== undefined) system = await startTwoGateways(redis);
});
Uncached.after(async () => {
  await system?.stop();
  await redis?.stop();
});

/** The only result of a read. */
async function read(gateway: number, path: string, session?: string): Promise<Record<string, unknown>> {
  return (await readAll(gateway, path, session))[0] as Record<string, unknown>;
}

/** The results of a read. */
async function readAll(gateway: number, path: string, session?: string): Promise<Record<string, unknown>[]> {
  const reply = await system.ask(gateway, path, session);
  assert.is(reply.status, 200, path);
  return ((await reply.json()) as { results: Record<string, unknown>[] }).results;
}

/** A counter, as both gateways show it from the cache. */
async function shownBy(path: keyof typeof counts): Promise<number[]> {
  return Promise.all([0, 1].map(async (gateway) => Number((await read(gateway, path))[counts[path]])));
}

/** Has new users add to a counter until both gateways show the old one from the cache, which is not so before a token is stored. */
async function leaveCacheBehind(path: keyof typeof counts, add: (userId: bigint) => Promise<unknown>): Promise<void> {
  await eventually("a cached reply that is behind", async () => {
    const before = await shownBy(path);
    fan = `${prefix}${++fans}`;
    await add(await register(system, fan));
    return (await shownBy(path)).every((count, gateway) => count === before[gateway]);
  });
}

let prefix = "follower";
let fans = 0;
/** The name of the last one. */
let fan = "";

/** Whether the cache shows at each gateway, from now on, what this reply shows. */
async function isFollowed(path: keyof typeof counts, reply: Record<string, unknown>): Promise<void> {
  const count = Number(reply[counts[path]]);
  assert.is(count, fans);
  assert.equal(await shownBy(path), [count, count]);
}

test("shows the followers that a list of friends has shown, at each gateway", async () => {
  await leaveCacheBehind("/social/bea", follow);
  await isFollowed("/social/bea", await read(0, `/social/${fan}/friends`));
});

test("shows what the user's own profile has shown, at each gateway", async () => {
  await leaveCacheBehind("/social/bea", follow);
  await isFollowed("/social/bea", await read(0, "/profile", system.sessionOfBea));
});

test("shows the reposts that a single status has shown, at each gateway", async () => {
  [fans, prefix] = [0, "reposter"];
  const { statuses } = system.clients;
  const status = await publish(system, system.bea);
  await leaveCacheBehind("/social/bea/timelines", (userId) => statuses.repost({ userId, status }));
  await isFollowed("/social/bea/timelines", await read(0, `/social/bea/timelines/${status.id}`));
});

test("shows the viewer's own wish for notifications that a list of friends has shown before it was announced, at each gateway", async () => {
  prefix = "friend";
  const areWanted = () =>
    Promise.all(
      [0, 1].map(async (gateway) => (await read(gateway, `/social/${fan}`, system.sessionOfBea)).notifications),
    );
  let done: Promise<unknown> | undefined;
  const { announcements } = system;
  const announce = async () => {
    announcements.stopHolding();
    announcements.release();
    await done;
  };
  await eventually("a cached reply that is behind", async () => {
    await announce();
    fan = `${prefix}${++fans}`;
    const pair = { followerId: system.bea, userId: await register(system, fan) };
    await system.clients.graph.follow(pair);
    assert.equal(await areWanted(), [false, false]);
    announcements.hold(0);
    done = system.clients.graph.setNotifications({ ...pair, notifications: true });
    await announcements.held();
    return (await areWanted()).every((wanted) => wanted === false);
  });
  try {
    assert.is((await read(0, "/social/bea/friends", system.sessionOfBea)).notifications, true);
    assert.equal(await areWanted(), [true, true]);
  } finally {
    await announce();
  }
});

for (const [what, isProtected, begin, end] of [
  [
    "protected",
    [true],
    (userId: bigint) => system.clients.profiles.setProtected({ userId, protected: true }),
    (userId: bigint) => system.clients.profiles.setProtected({ userId, protected: false }),
  ],
  [
    "suspended",
    [],
    (userId: bigint) => system.clients.moderation.suspend({ userId }),
    (userId: bigint) => system.clients.moderation.reinstate({ userId }),
  ],
] as const) {
  for (const list of ["followers", "friends"]) {
    for (const isSignedIn of [false, true]) {
      const reader = isSignedIn ? "a viewer" : "an anonymous reader";
      test(`shows a user as no longer ${what} after ${reader} was shown their ${list} before that was announced`, async () => {
        const name = `owner${++owners}`;
        const userId = await register(system, name);
        await begin(userId);
        await eventually("a cached user", async () => {
          await isShownAs(name, isProtected);
          return (await redis?.send(`EXISTS fresh:{${name}}`))?.startsWith(":1") ?? false;
        });
        await system.whileHeld(
          () => end(userId),
          async () => {
            await isShownAs(name, isProtected);
            await readAll(0, `/social/${name}/${list}`, isSignedIn ? system.sessionOfBea : undefined);
            await isShownAs(name, [false]);
          },
        );
      });
    }
  }
}

let owners = 0;

/** Whether every lookup at each gateway finds the user, protected or not; none for a user who is left out. */
async function isShownAs(name: string, isProtected: readonly boolean[]): Promise<void> {
  for (const gateway of [0, 1])
    for (const session of [undefined, system.sessionOfBea])
      assert.equal(
        (await readAll(gateway, `/social/${name}`, session)).map((result) => result.protected),
        isProtected,
      );
}

function follow(followerId: bigint) {
  return system.clients.graph.follow({ followerId, userId: system.bea });
}

Uncached.run();
