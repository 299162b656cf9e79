import * as assert from "uvu/assert";
import { loadConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { times } from "../support/long.ts";
import { publish } from "../support/people.ts";
import { startTestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { askAs, signUp, type Visitor } from "../support/visitors.ts";

// Two gateways, since each must show what was written through the other; with a Redis if the machine has one.
const Suspended = suite("suspended, blocked and protected users over HTTP");
const redis = await startTestRedis();
let system: TestSystem;
let second: Running;
let count = 0;
let ann: Visitor;
let bea: Visitor;
let cy: Visitor;

Suspended.before(async () => {
  const settings = { REDIS_URL: redis?.url };
  system = await startTestSystem(settings);
  const env = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl, GATEWAY_PORT: "0", ...settings };
  second = await startGateway(loadConfig(env), system.log);
});
Suspended.before.each(async () => {
  const names = ["ann", "bea", "cy"].map((name) => signUp(system, `${name}${count}`));
  count++;
  [ann, bea, cy] = (await Promise.all(names)) as [Visitor, Visitor, Visitor];
});
Suspended.after(async () => {
  await second?.close();
  await system?.stop();
  await redis?.stop();
});

/** The answers of both gateways to each of these: the status with the errorCode, or with the number of results. */
async function look(path: string, viewers: readonly (Visitor | undefined)[]): Promise<string[]> {
  const seen = new Set<string>();
  for (const gateway of [system, second]) {
    for (const viewer of viewers) {
      const { status, errorCode, results } = await askAs(gateway, path, viewer?.session);
      seen.add(`${status} ${errorCode ?? results.length}`);
    }
  }
  return [...seen];
}

async function lookAll(paths: Record<string, string>, viewers: readonly (Visitor | undefined)[]) {
  const looks = Object.entries(paths).map(async ([key, path]) => [key, await look(path, viewers)] as const);
  return Object.fromEntries(await Promise.all(looks));
}

Suspended("are hidden at every gateway from the suspension on, and shown again from the reinstatement on", async () => {
  const status = await publish(system, ann);
  await system.clients.graph.follow({ followerId: bea.id, userId: ann.id });
  await system.clients.statuses.repost({ userId: bea.id, status });
  const paths = {
    profile: `/social/${ann.name}`,
    timeline: `/social/${ann.name}/timelines`,
    status: `/social/${ann.name}/timelines/${status.id}`,
    followers: `/social/${ann.name}/followers`,
    reposts: `/social/${bea.name}/timelines`,
    friends: `/social/${bea.name}/friends`,
  };
  const all = [undefined, cy, bea, ann];
  const before = await lookAll(paths, all);
  assert.equal(new Set(Object.values(before).flat()), new Set(["200 1"]));
  for (let round = 0; round < times(1, 3); round++) {
    await system.clients.moderation.suspend({ userId: ann.id });
    assert.equal(await lookAll(paths, all), {
      profile: ["200 0"],
      timeline: ["403 Suspended"],
      status: ["403 Suspended"],
      followers: ["403 Suspended"],
      reposts: ["200 0"],
      friends: ["200 0"],
    });
    await system.clients.moderation.reinstate({ userId: ann.id });
    assert.equal(await lookAll(paths, all), before);
  }
});

Suspended("who became protected are hidden in reposts from others at once, except approved followers", async () => {
  const status = await publish(system, ann);
  await system.clients.statuses.repost({ userId: bea.id, status });
  const change = (who: Visitor, path: string, fields: object) =>
    askAs(second, path, who.session, JSON.stringify(fields));
  const paths = { reposts: `/social/${bea.name}/timelines`, profile: `/social/${bea.name}` };
  const seen = async (viewers: readonly (Visitor | undefined)[]) => {
    const { reposts } = await lookAll(paths, viewers);
    const shown = await Promise.all(
      [system, second].flatMap((gateway) => viewers.map((viewer) => askAs(gateway, paths.profile, viewer?.session))),
    );
    return [...new Set([...(reposts ?? []), ...shown.map(({ results }) => results[0]?.status !== undefined)])];
  };
  for (let round = 0; round < times(1, 3); round++) {
    assert.equal(await seen([undefined, ann, bea, cy]), ["200 1", true]);
    await change(ann, "/profile", { protected: true });
    assert.equal(await seen([undefined, bea, cy]), ["200 0", false]);
    assert.equal(await seen([ann]), ["200 1", true]);
    await change(cy, `/social/${ann.name}/follow`, {});
    await change(ann, `/social/${cy.name}/answer`, { approved: true });
    assert.equal([await seen([cy]), await seen([undefined, bea])].flat(), ["200 1", true, "200 0", false]);
    await change(ann, `/social/${cy.name}/answer`, { approved: false });
    assert.equal(await seen([undefined, bea, cy]), ["200 0", false]);
    await change(ann, "/profile", { protected: false });
  }
});

Suspended("cannot read the blocker or reposts from the answer on, and mutes apply at once", async () => {
  const status = await publish(system, ann);
  await system.clients.statuses.repost({ userId: cy.id, status });
  const paths = { timeline: `/social/${ann.name}/timelines`, reposts: `/social/${cy.name}/timelines` };
  const open = { timeline: ["200 1"], reposts: ["200 1"] };
  const act = (how: string, who: Visitor, whom: Visitor, fields: object) =>
    askAs(system, `/social/${whom.name}/${how}`, who.session, JSON.stringify(fields));
  for (let round = 0; round < times(1, 3); round++) {
    assert.equal(await lookAll(paths, [bea, undefined, cy]), open);
    await act("block", ann, bea, {});
    assert.equal(await lookAll(paths, [bea]), { timeline: ["403 Forbidden"], reposts: ["200 0"] });
    assert.equal(await lookAll(paths, [undefined, cy, ann]), open);
    await act("block", ann, bea, { blocked: false });
    assert.equal(await lookAll(paths, [bea]), open);
    await act("mute", bea, ann, {});
    assert.equal(await lookAll(paths, [bea]), { ...open, reposts: ["200 0"] });
    await act("mute", bea, ann, { muted: false });
  }
});

Suspended("may read, and are refused every write", async () => {
  await system.clients.moderation.suspend({ userId: ann.id });
  assert.is((await askAs(second, `/social/${bea.name}/timelines`, ann.session)).status, 200);
  assert.is((await askAs(second, "/profile/blocks", ann.session)).status, 200);
  for (const [path, body] of [
    ["/timelines/publish", '{"text":"x"}'],
    ["/timelines/delete", '{"id":1}'],
    ["/profile", '{"location":"x"}'],
    ["/auth/password", '{"oldPassword":"correct horse","newPassword":"battery staple"}'],
    ["/auth/password", '{"oldPassword":"wrong horse","newPassword":"battery staple"}'],
    ["/profile", '{"ifVersion":77,"location":"x"}'],
    [`/social/${bea.name}/timelines/1/mark`, '{"favorited":true}'],
    [`/social/${bea.name}/follow`, "{}"],
    [`/social/${bea.name}/follow`, '{"following":false}'],
    [`/social/${bea.name}/answer`, '{"approved":true}'],
    [`/social/${bea.name}/block`, "{}"],
    [`/social/${bea.name}/mute`, '{"muted":false}'],
    [`/social/${bea.name}/report`, '{"reason":"x"}'],
    ["/social/no_such_user/follow", "{}"],
  ] as const) {
    const { status, errorCode } = await askAs(second, path, ann.session, body);
    assert.equal([status, errorCode], [403, "Suspended"], path);
  }
  assert.is((await askAs(second, "/timelines/publish", ann.session, '{"text":""}')).status, 400);
  await system.clients.profiles.setVerified({ userId: ann.id, verified: true });
  assert.is((await askAs(second, "/profile/delete", ann.session, '{"password":"correct horse"}')).status, 200);
});

Suspended("are refused as the target of writes by others", async () => {
  const { id } = await publish(system, ann);
  await system.clients.moderation.suspend({ userId: ann.id });
  for (const [path, body] of [
    [`/social/${ann.name}/timelines/${id}/mark`, '{"favorited":true}'],
    [`/social/${ann.name}/follow`, "{}"],
    [`/social/${ann.name}/answer`, '{"approved":false}'],
    [`/social/${ann.name}/block`, "{}"],
    [`/social/${ann.name}/mute`, "{}"],
    [`/social/${ann.name}/report`, '{"reason":"x"}'],
    ["/timelines/publish", `{"text":"x","inReplyToScreenName":"${ann.name}","inReplyToStatusId":${id}}`],
  ] as const) {
    const { status, errorCode } = await askAs(system, path, bea.session, body);
    assert.equal([status, errorCode], [403, "Suspended"], path);
  }
});

Suspended.run();
