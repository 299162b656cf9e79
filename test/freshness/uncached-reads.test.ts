import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { eventually } from "../support/eventually.ts";
import { launch } from "../support/launch.ts";
import { password, publish, register } from "../support/people.ts";
import { queryOnce } from "../support/query-once.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { holdAnnouncements } from "./hold-announcements.ts";

// Counters that other users change make a new state without a drop of its token, which lives for a minute here. A reply that no
// gateway caches shows them at once; then no cached reply may show the older ones (contract §9).
const Uncached = suite("a cached reply after one that is not cached");
const redis = await startTestRedisFor("whether cached replies follow those that are not cached");
const test = (redis ? Uncached : Uncached.skip) as typeof Uncached;
const counts = { "/social/bea": "followers_count", "/social/bea/timelines": "retweet_count" };
const announcements = holdAnnouncements();
let services: TestServices;
let gateways: Running[];
let bea: bigint;
let sessionOfBea: string;

Uncached.before(async () => {
  if (redis === undefined) return;
  const settings = { REDIS_URL: redis.url, FRESHNESS_MS: "60000", REDIS_TIMEOUT_MS: "10000" };
  services = await startTestServices(settings, undefined, announcements.changeFreshness);
  const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl, ...settings };
  gateways = await Promise.all([launch("gateway", env), launch("gateway", env)]);
  bea = await register(services, "bea");
  sessionOfBea = (await services.clients.sessions.signIn({ userNameOrEmail: "bea", password })).sessionId;
});
Uncached.after(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.close()));
  await services?.stop();
  await redis?.stop();
});

/** Asks one gateway, with a session or anonymously. */
function ask(gateway: number, path: string, session: string | undefined): Promise<Response> {
  const headers: Record<string, string> = session === undefined ? {} : { authorization: `Bearer ${session}` };
  return fetch(`${gateways[gateway]?.url}${path}`, { headers });
}

/** The only result of a read. */
async function read(gateway: number, path: string, session?: string): Promise<Record<string, unknown>> {
  const reply = await ask(gateway, path, session);
  assert.is(reply.status, 200, path);
  return ((await reply.json()) as { results: [Record<string, unknown>] }).results[0];
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
    await add(await register(services, fan));
    return (await shownBy(path)).every((count, gateway) => count === before[gateway]);
  });
}

let prefix = "follower";
let fans = 0;
/** The name of the last one. */
let fan = "";
let names = 0;

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
  await isFollowed("/social/bea", await read(0, "/profile", sessionOfBea));
});

test("shows the reposts that a single status has shown, at each gateway", async () => {
  [fans, prefix] = [0, "reposter"];
  const { statuses } = services.clients;
  const status = await publish(services, bea);
  await leaveCacheBehind("/social/bea/timelines", (userId) => statuses.repost({ userId, status }));
  await isFollowed("/social/bea/timelines", await read(0, `/social/bea/timelines/${status.id}`));
});

test("shows the viewer's own wish for notifications that a list of friends has shown before it was announced, at each gateway", async () => {
  prefix = "friend";
  const areWanted = () =>
    Promise.all([0, 1].map(async (gateway) => (await read(gateway, `/social/${fan}`, sessionOfBea)).notifications));
  let done: Promise<unknown> | undefined;
  const announce = async () => {
    announcements.stopHolding();
    announcements.release();
    await done;
  };
  await eventually("a cached reply that is behind", async () => {
    await announce();
    fan = `${prefix}${++fans}`;
    const pair = { followerId: bea, userId: await register(services, fan) };
    await services.clients.graph.follow(pair);
    assert.equal(await areWanted(), [false, false]);
    announcements.hold(0);
    done = services.clients.graph.setNotifications({ ...pair, notifications: true });
    await announcements.held();
    return (await areWanted()).every((wanted) => wanted === false);
  });
  try {
    assert.is((await read(0, "/social/bea/friends", sessionOfBea)).notifications, true);
    assert.equal(await areWanted(), [true, true]);
  } finally {
    await announce();
  }
});

for (const [what, refuse, toAnonymous, toViewer] of [
  ["suspended", (userId: bigint) => services.clients.moderation.suspend({ userId }), 403, 403],
  ["deleted", (userId: bigint) => services.clients.account.deleteAccount({ userId }), 404, 404],
  ["protected", (userId: bigint) => services.clients.profiles.setProtected({ userId, protected: true }), 401, 403],
] as const) {
  for (const [read, pathOf] of Object.entries({
    "a page of the timeline": (timeline: string) => `${timeline}?take=7`,
    "a status": (timeline: string, id: bigint) => `${timeline}/${id}`,
    "the followers": (timeline: string) => timeline.replace("timelines", "followers"),
    "the friends": (timeline: string) => timeline.replace("timelines", "friends"),
  })) {
    for (const isSignedIn of [false, true]) {
      const reader = isSignedIn ? "a viewer" : "an anonymous reader";
      test(`does not show a timeline after ${reader} was refused ${read} before it was announced that its user is ${what}`, async () => {
        const name = `${what}${names++}`;
        const userId = await register(services, name);
        const { id } = await publish(services, userId);
        const path = `/social/${name}/timelines`;
        await untilCached(name, path);
        announcements.hold(0);
        const done = refuse(userId);
        try {
          await announcements.held();
          const session = isSignedIn ? sessionOfBea : undefined;
          assert.is(await statusOf(1, path, session), 200, "what is cached is still shown");
          assert.is(await statusOf(0, pathOf(path, id), session), isSignedIn ? toViewer : toAnonymous);
          await areRefused(path, toAnonymous, toViewer);
        } finally {
          announcements.stopHolding();
          announcements.release();
          await done;
        }
      });
    }
  }
}

test("does not show a timeline after a repost was refused before it was announced that the original's author is protected", async () => {
  const [userId, reposter] = [await register(services, "original"), await register(services, "repeats")];
  const status = await publish(services, userId);
  const path = "/social/original/timelines";
  const { statuses, profiles } = services.clients;
  const { status: repost } = await statuses.repost({ userId: reposter, status });
  await untilCached("original", path);
  announcements.hold(0);
  const done = profiles.setProtected({ userId, protected: true });
  try {
    await announcements.held();
    assert.is(await statusOf(1, path, undefined), 200, "what is cached is still shown");
    // As the maintenance of another process does it, which finds the protection committed.
    await queryOnce(services.database.social, "update social.status set restricted = true where author_id = $1", [
      reposter,
    ]);
    assert.is(await statusOf(0, `/social/repeats/timelines/${repost?.id}`, undefined), 401);
    await areRefused(path, 401, 403);
  } finally {
    announcements.stopHolding();
    announcements.release();
    await done;
  }
});

/** Reads a timeline by all ways until its author's token is stored. */
async function untilCached(name: string, path: string): Promise<void> {
  await eventually("a cached timeline", async () => {
    for (const gateway of [0, 1]) for (const caller of [undefined, sessionOfBea]) await read(gateway, path, caller);
    return (await redis?.send(`EXISTS fresh:{${name}}`))?.startsWith(":1") ?? false;
  });
}

async function areRefused(path: string, toAnonymous: number, toViewer: number): Promise<void> {
  for (const gateway of [0, 1]) {
    assert.is(await statusOf(gateway, path, undefined), toAnonymous);
    assert.is(await statusOf(gateway, path, sessionOfBea), toViewer);
  }
}

async function statusOf(gateway: number, path: string, session: string | undefined): Promise<number> {
  const reply = await ask(gateway, path, session);
  await reply.arrayBuffer();
  return reply.status;
}

function follow(followerId: bigint) {
  return services.clients.graph.follow({ followerId, userId: bea });
}

Uncached.run();
