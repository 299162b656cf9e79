import * as assert from "uvu/assert";
import { type Person, person, protect, publish } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Digests = suite("relation digests");
let services: TestServices;
let ann: Person;
let bea: Person;
let cay: Person;

Digests.before(async () => {
  services = await startTestServices();
});
Digests.before.each(async () => {
  [ann, bea, cay] = [await person(services, "ann"), await person(services, "bea"), await person(services, "cay")];
});
Digests.after(() => services.stop());

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
