import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { password, publish, register } from "../support/people.ts";
import { queryOnce } from "../support/query-once.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { startTwoGateways, type TwoGateways } from "./two-gateways.ts";

// A reader was refused, or missed a user, because of a write that is committed and not announced yet. Then no gateway shows an older state
// from the cache. Tokens live for a minute here.
const Refused = suite("a cached reply after a refusal");
const redis = await startTestRedisFor("whether cached replies follow refusals");
const test = (redis ? Refused : Refused.skip) as typeof Refused;
let system: TwoGateways;
let persons = 0;

Refused.before(async () => {
  if (redis !== undefined) system = await startTwoGateways(redis);
});
Refused.after(async () => {
  await system?.stop();
  await redis?.stop();
});

for (const [what, refuse, toAnonymous, toViewer] of [
  ["suspended", (userId: bigint) => system.clients.moderation.suspend({ userId }), 403, 403],
  ["deleted", (userId: bigint) => system.clients.account.deleteAccount({ userId }), 404, 404],
  ["protected", (userId: bigint) => system.clients.profiles.setProtected({ userId, protected: true }), 401, 403],
] as const) {
  for (const [read, pathOf] of Object.entries({
    "a page of the timeline": ({ timeline }: Person) => `${timeline}?take=7`,
    "a status": ({ timeline, status }: Person) => `${timeline}/${status.id}`,
    "the followers": ({ name }: Person) => `/social/${name}/followers`,
    "the friends": ({ name }: Person) => `/social/${name}/friends`,
  })) {
    for (const isSignedIn of [false, true]) {
      const reader = isSignedIn ? "a viewer" : "an anonymous reader";
      test(`does not show a timeline after ${reader} was refused ${read} before it was announced that its user is ${what}`, async () => {
        const person = await cachedPerson();
        const { userId, timeline } = person;
        await system.whileHeld(
          () => refuse(userId),
          async () => {
            const session = isSignedIn ? system.sessionOfBea : undefined;
            assert.is(await statusOf(1, timeline, session), 200, "what is cached is still shown");
            assert.is(await statusOf(0, pathOf(person), session), isSignedIn ? toViewer : toAnonymous);
            await areRefused(timeline, toAnonymous, toViewer);
          },
        );
      });
    }
  }
}

for (const [what, remove, refusal] of [
  ["suspended", (userId: bigint) => system.clients.moderation.suspend({ userId }), 403],
  ["deleted", (userId: bigint) => system.clients.profiles.deleteProfile({ userId }), 404],
] as const) {
  for (const [lookup, pathOf, readers] of [
    // For anonymous readers the entry of that user is cached.
    ["a lookup of several names", ({ name }: Person) => `/social/${name},bea`, [true]],
    [
      "a lookup by name and id",
      ({ name }: Person) => `/json/reply/SocialUsers?screenNames=${name}&userIds=${system.bea}`,
      [false, true],
    ],
    ["a lookup by id", ({ userId }: Person) => `/social/ids/${userId}`, [false, true]],
    ["a list of followers", () => "/social/bea/followers", [false, true]],
    ["a list of friends", () => "/social/bea/friends", [false, true]],
  ] as const) {
    for (const isSignedIn of readers) {
      const reader = isSignedIn ? "a viewer" : "an anonymous reader";
      test(`does not show a user whom ${reader} missed in ${lookup} before it was announced that they are ${what}`, async () => {
        const person = await cachedPerson({ isFriend: lookup.startsWith("a list") });
        const { name, userId, timeline } = person;
        await system.whileHeld(
          () => remove(userId),
          async () => {
            assert.equal(await namesIn(1, `/social/${name}`, undefined), [name], "what is cached is still shown");
            const shown = await namesIn(0, pathOf(person), isSignedIn ? system.sessionOfBea : undefined);
            assert.not(shown.includes(name));
            await areRefused(timeline, refusal, refusal);
            await isLeftOut(name);
          },
        );
      });
    }
  }

  test(`does not show a protected user after their timeline was refused otherwise before it was announced that they are ${what}`, async () => {
    const { name, userId, timeline } = await cachedPerson({ protected: true });
    await areRefused(timeline, 401, 403);
    await system.whileHeld(
      () => remove(userId),
      async () => {
        assert.is(await statusOf(0, timeline, undefined), refusal);
        await isLeftOut(name);
      },
    );
  });
}

test("does not show a timeline that a viewer without a profile was refused before it was announced that its user is protected", async () => {
  const viewer = await register(system, "unfinished");
  const { sessionId } = await system.clients.sessions.signIn({ userNameOrEmail: "unfinished", password });
  for (const table of ["screen_name", "profile"])
    await queryOnce(system.database.social, `delete from social.${table} where user_id = $1`, [viewer]);
  await redis?.send(`DEL fresh:{viewer:${viewer}}`);
  const { userId, timeline } = await cachedPerson();
  assert.is(await statusOf(0, timeline, sessionId), 200);
  await system.whileHeld(
    () => system.clients.profiles.setProtected({ userId, protected: true }),
    async () => {
      assert.is(await statusOf(0, timeline, sessionId), 403);
      await areRefused(timeline, 401, 403);
    },
  );
});

for (const path of ["/profile", "/profile/blocks"]) {
  test(`does not show a deleted user after they were refused ${path} before that was announced`, async () => {
    const { name, userId, timeline } = await cachedPerson();
    const { sessionId } = await system.clients.sessions.signIn({ userNameOrEmail: name, password });
    await system.whileHeld(
      () => system.clients.profiles.deleteProfile({ userId }),
      async () => {
        assert.is(await statusOf(0, path, sessionId), 401);
        await areRefused(timeline, 404, 404);
        await isLeftOut(name);
      },
    );
  });
}

test("does not show a timeline after a repost was refused before it was announced that the original's author is protected", async () => {
  const { name, userId, timeline, status } = await cachedPerson();
  const reposter = await register(system, "reposter");
  const { statuses, profiles } = system.clients;
  const { status: repost } = await statuses.repost({ userId: reposter, status });
  await untilCached(name);
  await system.whileHeld(
    () => profiles.setProtected({ userId, protected: true }),
    async () => {
      assert.is(await statusOf(1, timeline, undefined), 200, "what is cached is still shown");
      // As the maintenance of another process does it, which finds the protection committed.
      await queryOnce(system.database.social, "update social.status set restricted = true where author_id = $1", [
        reposter,
      ]);
      assert.is(await statusOf(0, `/social/reposter/timelines/${repost?.id}`, undefined), 401);
      await areRefused(timeline, 401, 403);
    },
  );
});

test("does not show a repost to a viewer who was refused the original before it was announced that they unfollowed its author", async () => {
  const { userId, timeline, status } = await cachedPerson();
  const { bea, sessionOfBea } = system;
  const { graph, profiles, statuses } = system.clients;
  await graph.follow({ followerId: bea, userId });
  const reposter = await cachedPerson();
  await statuses.repost({ userId: reposter.userId, status });
  await profiles.setProtected({ userId, protected: true });
  const isRepostShown = async (gateway: number) => {
    const reply = await system.ask(gateway, reposter.timeline, sessionOfBea);
    return ((await reply.json()) as { results: unknown[] }).results.length === 2;
  };
  await eventually("a cached repost", async () => {
    assert.equal(await Promise.all([isRepostShown(0), isRepostShown(1)]), [true, true]);
    const stored = await redis?.send(`EXISTS fresh:{${reposter.name}} fresh:{viewer:${bea}}`);
    return stored?.startsWith(":2") ?? false;
  });
  await system.whileHeld(
    () => graph.unfollow({ followerId: bea, userId }),
    async () => {
      assert.is(await isRepostShown(1), true, "what is cached is still shown");
      assert.is(await statusOf(0, `${timeline}/${status.id}`, sessionOfBea), 403);
      assert.equal(await Promise.all([isRepostShown(0), isRepostShown(1)]), [false, false]);
    },
  );
});

type Person = Awaited<ReturnType<typeof cachedPerson>>;

/** Registers a user with a status, whose profile and timeline both gateways have cached; a friend and bea follow each other. */
async function cachedPerson(options: { protected?: boolean; isFriend?: boolean } = {}) {
  const name = `person${persons++}`;
  const userId = await register(system, name);
  if (options.isFriend) {
    await system.clients.graph.follow({ followerId: userId, userId: system.bea });
    await system.clients.graph.follow({ followerId: system.bea, userId });
  }
  const status = await publish(system, userId);
  if (options.protected) await system.clients.profiles.setProtected({ userId, protected: true });
  return { name, userId, status, timeline: await untilCached(name) };
}

/** Reads a user's profile and timeline by all ways until the user's token is stored. Resolves with the path of the timeline. */
async function untilCached(name: string): Promise<string> {
  const timeline = `/social/${name}/timelines`;
  await eventually("a cached user", async () => {
    for (const gateway of [0, 1]) {
      for (const session of [undefined, system.sessionOfBea]) {
        assert.equal(await namesIn(gateway, `/social/${name}`, session), [name]);
        await statusOf(gateway, timeline, session);
      }
    }
    return (await redis?.send(`EXISTS fresh:{${name}}`))?.startsWith(":1") ?? false;
  });
  return timeline;
}

async function areRefused(timeline: string, toAnonymous: number, toViewer: number): Promise<void> {
  for (const gateway of [0, 1]) {
    assert.is(await statusOf(gateway, timeline, undefined), toAnonymous);
    assert.is(await statusOf(gateway, timeline, system.sessionOfBea), toViewer);
  }
}

async function isLeftOut(name: string): Promise<void> {
  for (const gateway of [0, 1])
    for (const session of [undefined, system.sessionOfBea])
      assert.equal(await namesIn(gateway, `/social/${name}`, session), []);
}

async function statusOf(gateway: number, path: string, session: string | undefined): Promise<number> {
  const reply = await system.ask(gateway, path, session);
  await reply.arrayBuffer();
  return reply.status;
}

/** The names of the users whom a lookup shows. */
async function namesIn(gateway: number, path: string, session: string | undefined): Promise<string[]> {
  const reply = await system.ask(gateway, path, session);
  assert.is(reply.status, 200, path);
  return ((await reply.json()) as { results: { screen_name: string }[] }).results.map((result) => result.screen_name);
}

Refused.run();
