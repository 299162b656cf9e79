import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { freshnessKey, viewerKey } from "../../services/platform/redis/freshness-key.ts";
import { createExchange } from "../people/exchange.ts";
import { launch } from "../support/launch.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { type AnnouncedCase, announcedCases } from "./announced-cases.ts";
import { announcedModerationCases } from "./announced-moderation-cases.ts";
import { announcedOthersCases } from "./announced-others-cases.ts";
import { announcedPeopleCases } from "./announced-people-cases.ts";
import { announcedRenamesCases } from "./announced-renames-cases.ts";
import { holdAnnouncements } from "./hold-announcements.ts";

// One write makes a change, and its announcement is stopped; another one finds nothing to change and is answered. Tokens live for a
// minute, so that a missing announcement of the second one causes a stale read however slow the machine is.
const Announced = suite("a write that changes nothing");
const redis = await startTestRedisFor("announcements of writes that change nothing");
const test = redis ? Announced : Announced.skip;
const announcements = holdAnnouncements();
const exchange = createExchange();
let services: TestServices;
let cached: Running;
let uncached: Running;

Announced.before(async () => {
  const settings = { REDIS_URL: redis?.url, FRESHNESS_MS: "60000", REDIS_TIMEOUT_MS: "10000" };
  services = await startTestServices(settings, undefined, announcements.changeFreshness);
  // A busy machine is slow, not wrong.
  const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl, SERVICE_TIMEOUT_MS: "60000" };
  cached = await launch("gateway", { ...env, ...settings }, services);
  uncached = await launch("gateway", env, services);
});
Announced.after(async () => {
  exchange.close();
  await cached?.close();
  await uncached?.close();
  await services?.stop();
  await redis?.stop();
});

/** The replies with a user's profile and timeline. */
async function look({ url }: { url: string }, name: string): Promise<string[]> {
  const paths = [`/social/${name}`, `/social/${name}/timelines?take=200`];
  return Promise.all(paths.map(async (path) => (await exchange.ask(url, { path })).text));
}

/** Reads until the user's token is stored. */
async function fillCache(name: string): Promise<void> {
  const filled = async () => (await redis?.send(`EXISTS fresh:{${name.toLowerCase()}}`))?.startsWith(":1");
  while (!(await filled())) {
    await look(cached, name);
    await sleep(5);
  }
}

/** The outcome of a call; a refusal asserts a state as well. */
async function answerOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "done",
    (error: Error) => error.message,
  );
}

async function check({ prepare, announced = 0 }: AnnouncedCase): Promise<void> {
  const { first, second, names, viewers = [], refusal } = await prepare(services);
  for (const name of names) await fillCache(name);
  announcements.hold(announced);
  const done = first();
  await Promise.race([done, announcements.held()]);
  announcements.stopHolding();
  const tokens = viewers.map((id) => freshnessKey(viewerKey(id)));
  for (const key of tokens) await redis?.send(`SET ${key} old`);
  const answer = await answerOf(second());
  const old = await Promise.all(tokens.map(async (key) => redis?.send(`EXISTS ${key}`)));
  const seen = await Promise.all(names.map((name) => look(cached, name)));
  const present = await Promise.all(names.map((name) => look(uncached, name)));
  announcements.release();
  await done;
  assert.match(answer, refusal ?? /^done$/);
  assert.equal(seen, present);
  assert.not.ok(
    old.some((reply) => reply?.startsWith(":1")),
    "the token of a viewer is still there",
  );
}

const cases = [
  ...announcedCases,
  ...announcedPeopleCases,
  ...announcedModerationCases,
  ...announcedOthersCases,
  ...announcedRenamesCases,
];
for (const announcedCase of cases) {
  test(`announces its subjects: ${announcedCase.title}`, () => check(announcedCase));
}

Announced.run();
