import { inspect } from "node:util";
import * as assert from "uvu/assert";
import { as, type Person, person, protect, publish, usePeople, valuesOf } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { changingWrites } from "./changing-writes.ts";

// A page is stored under versions alone. So a write that changes a reply has to raise a version that the reply is stored under, in its own
// transaction.
const Versions = suite("each write that changes a reply raises a version of it");
const services = useServices(Versions);
const Digests = suite("relation digests");
useServices(Digests, {}, services);
const [ann, bea, cay] = usePeople([Versions, Digests], services, "ann", "bea", "cay");

/** What a caller is shown of a user, without the version; a refusal as its text. */
async function shown(screenName: string, id: bigint | undefined): Promise<string> {
  const options = as(id === undefined ? undefined : { id });
  const { socialUsers, socialTimelines } = services.clients.social;
  const reads = [socialUsers({ screenNames: [screenName] }, options), socialTimelines({ screenName }, options)];
  const replies = reads.map((read) => read.catch(({ message }: Error) => message));
  return inspect(await Promise.all(replies), { depth: null }).replace(/\bversion: [^,\n]+/g, "");
}

/** Replies and the versions that they are stored under: for a viewer also the version of the viewer. */
async function look(names: readonly string[], viewers: readonly bigint[]) {
  const asked = { screenNames: [...names], viewerIds: [...viewers] };
  const { versions, viewerVersions } = await services.clients.versions.listVersions(asked);
  const pages = names.flatMap((name, index) =>
    [undefined, ...viewers].map(async (viewer, at) => ({
      of: `${name} for ${viewer ?? "anonymous callers"}`,
      reply: await shown(name, viewer),
      version: [versions[index], ...(viewer === undefined ? [] : [viewerVersions[at - 1]])].join(),
    })),
  );
  return Promise.all(pages);
}

for (const { title, prepare } of changingWrites) {
  Versions(title, async () => {
    const { names, viewers = [], write } = await prepare(services);
    const before = await look(names, viewers);
    await write();
    const after = await look(names, viewers);
    const changed = after.filter(({ reply }, index) => reply !== before[index]?.reply);
    // A mute and a block are shown to their users only, by pages that have something to hide.
    if (!/mute|block$/.test(title)) assert.ok(changed.length > 0, "no reply has changed, so the test shows nothing");
    const stale = changed.filter(({ of, version }) => before.some((one) => one.of === of && one.version === version));
    assert.equal(valuesOf(stale, "of"), []);
  });
}

/** The versions of ann and bea, as authors and as viewers. */
async function versionsNow(): Promise<string[]> {
  const asked = { screenNames: [ann.name, bea.name], viewerIds: [ann.id, bea.id] };
  const { versions, viewerVersions } = await services.clients.versions.listVersions(asked);
  return [...versions, ...viewerVersions];
}

Versions("but not when it is repeated, or changes nothing", async () => {
  const { graph, moderation, people, profiles, statuses } = services.clients;
  const pair = { followerId: ann.id, userId: bea.id };
  const mark = { userId: ann.id, status: await publish(services, bea) };
  const block = { userId: bea.id, screenName: ann.name };
  for (const write of [
    () =>
      profiles.updateProfile({ userId: ann.id, profile: { location: "Rome" }, updateMask: { paths: ["location"] } }),
    () => graph.follow(pair),
    () => statuses.favorite(mark),
    () => statuses.repost(mark),
    () => statuses.unrepost(mark),
    () => graph.unfollow(pair),
    () => people.blockUser({ ...block, blocked: true }),
    () => people.blockUser({ ...block, blocked: false }),
    () => moderation.suspend({ userId: bea.id }),
    () => moderation.reinstate({ userId: bea.id }),
  ]) {
    const before = await versionsNow();
    await write();
    const after = await versionsNow();
    assert.not.equal(after, before, write.toString());
    await write();
    assert.equal(await versionsNow(), after, write.toString());
  }
});

Versions("of the author to another one than before the suspension, when that ends", async () => {
  const { moderation, versions } = services.clients;
  const [before] = await versionsNow();
  await moderation.suspend({ userId: ann.id });
  assert.is((await versionsNow())[0], "suspended");
  await moderation.reinstate({ userId: ann.id });
  assert.not.equal((await versionsNow())[0], before);
  assert.equal((await versions.listVersions({ viewerIds: [1n] })).viewerVersions, ["absent"]);
});

Versions.run();

/** A viewer's relation digests by user id, and the version of the viewer in the same state. */
async function digestsOf({ id: viewerId }: Person) {
  const { viewerVersion, digests } = await services.clients.versions.listRelationDigests({ viewerId });
  return { viewerVersion, digests: new Map(digests.map(({ userId, digest }) => [userId, digest])) };
}

Digests("change with every relation and mark of a viewer to a user, and with nothing else", async () => {
  const { statuses, graph, people } = services.clients;
  const [status, reposted] = [await publish(services, bea), await publish(services, bea)];
  const pair = { followerId: ann.id, userId: bea.id };
  const named = { userId: ann.id, screenName: bea.name };
  const writes = [
    () => graph.follow(pair),
    () => graph.setNotifications({ ...pair, notifications: true }),
    () => statuses.favorite({ userId: ann.id, status }),
    () => statuses.favorite({ userId: ann.id, status: reposted }),
    () => statuses.unfavorite({ userId: ann.id, status }),
    () => statuses.repost({ userId: ann.id, status: reposted }),
    () => people.muteUser(named),
    () => statuses.unrepost({ userId: ann.id, status: reposted }),
    () => graph.unfollow(pair),
    () => protect(services, bea).then(() => graph.follow(pair)),
    () => people.blockUser(named),
    () => people.blockUser({ userId: bea.id, screenName: ann.name }),
    () => people.blockUser({ ...named, blocked: false }),
    () => people.muteUser({ ...named, muted: false }),
  ];
  const seen = new Set<string | undefined>([undefined]);
  await graph.follow({ followerId: ann.id, userId: cay.id });
  const own = (await digestsOf(ann)).digests.get(ann.id);
  for (const write of writes) {
    await write();
    const { digests, viewerVersion } = await digestsOf(ann);
    const digest = digests.get(bea.id);
    assert.not(seen.has(digest), `${write}: ${digest}`);
    assert.ok((digest as string).length <= 22);
    seen.add(digest);
    assert.equal([digests.get(cay.id), digests.get(ann.id)], ["f", own], write.toString());
    const { viewerVersions } = await services.clients.versions.listVersions({ viewerIds: [ann.id] });
    assert.equal([viewerVersion], viewerVersions);
  }
});

Digests("are equal for viewers with equal relations to a user, except for the user", async () => {
  const { statuses, graph } = services.clients;
  const status = await publish(services, bea);
  for (const viewer of [ann, cay]) {
    await graph.follow({ followerId: viewer.id, userId: bea.id });
    await statuses.favorite({ userId: viewer.id, status });
  }
  await statuses.favorite({ userId: bea.id, status });
  const [of, like, self] = [await digestsOf(ann), await digestsOf(cay), await digestsOf(bea)];
  assert.ok(of.digests.has(bea.id));
  assert.is(of.digests.get(bea.id), like.digests.get(bea.id));
  assert.is.not(self.digests.get(bea.id), of.digests.get(bea.id));
  assert.is.not(self.digests.get(bea.id), of.digests.get(ann.id));
  assert.equal([...(await digestsOf(await person(services, "dee"))).digests.values()].length, 1);
});

Digests("are not listed for a viewer without a profile or with more than 5,000 of them", async () => {
  const nothing = { viewerVersion: "", digests: new Map() };
  assert.equal(await digestsOf({ id: 1n, name: "" }), nothing);
  const insert =
    "insert into social.follow (follower_id, user_id) select $1, n from generate_series($2::int, $3::int) as n";
  await services.database.query(insert, [ann.id, 1, 4_999]);
  assert.is((await digestsOf(ann)).digests.size, 5_000);
  await services.database.query(insert, [ann.id, 5_000, 5_000]);
  assert.equal(await digestsOf(ann), nothing);
});

Digests.run();
