import * as assert from "uvu/assert";
import { type Person, person, publish } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

// A cached page is found by its author's version alone, so each write that changes what anonymous callers see has to change it.
const Authors = suite("author versions");
let services: TestServices;
let ann: Person;
let bea: Person;

Authors.before(async () => {
  services = await startTestServices();
});
Authors.before.each(async () => {
  [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
});
Authors.after(() => services.stop());

async function versions(): Promise<string[]> {
  return (await services.clients.versions.listVersions({ screenNames: [ann.name, bea.name] })).versions;
}

/** Makes writes one after the other, and checks whose versions each changes. */
async function check(writes: readonly (readonly [write: () => Promise<unknown>, ...changed: Person[]])[]) {
  for (const [write, ...changed] of writes) {
    const before = await versions();
    await write();
    const after = await versions();
    assert.equal(
      [ann, bea].filter((_, index) => before[index] !== after[index]).map(({ name }) => name),
      changed.map(({ name }) => name),
      write.toString(),
    );
  }
}

const pair = () => ({ followerId: ann.id, userId: bea.id });

Authors("change with the statuses and the profile of their users", async () => {
  const { moderation, profiles, statuses } = services.clients;
  const status = await publish(services, ann);
  const update = { userId: ann.id, profile: { location: "Rome" }, updateMask: { paths: ["location"] } };
  await check([
    [() => publish(services, ann), ann],
    [() => statuses.deleteStatus(status), ann],
    [() => profiles.updateProfile(update), ann],
    [() => profiles.updateProfile(update)],
    [() => profiles.setVerified({ userId: ann.id, verified: true }), ann],
    [() => profiles.setProtected({ userId: ann.id, protected: true }), ann],
    [() => moderation.suspend({ userId: ann.id }), ann],
    [() => moderation.reinstate({ userId: ann.id }), ann],
    [() => moderation.reinstate({ userId: ann.id })],
    [() => profiles.deleteProfile({ userId: ann.id }), ann],
  ]);
});

Authors("of reinstated users are not those from before the suspension", async () => {
  const { moderation } = services.clients;
  const [before] = await versions();
  await moderation.suspend({ userId: ann.id });
  assert.is((await versions())[0], "suspended");
  await moderation.reinstate({ userId: ann.id });
  assert.not.equal((await versions())[0], before);
});

Authors("change with the counts of followers and friends", async () => {
  const { graph, people, profiles } = services.clients;
  const block = { userId: bea.id, screenName: ann.name };
  await check([
    [() => graph.follow(pair()), ann, bea],
    [() => graph.follow(pair())],
    [() => graph.setNotifications({ ...pair(), notifications: true })],
    [() => graph.unfollow(pair()), ann, bea],
    [() => graph.unfollow(pair())],
    [() => graph.follow(pair()), ann, bea],
    [() => people.blockUser({ ...block, blocked: true }), ann, bea],
    [() => people.blockUser({ ...block, blocked: false })],
    [() => profiles.setProtected({ userId: bea.id, protected: true }), bea],
    [() => graph.follow(pair())],
    [() => graph.removeFollower(pair())],
    [() => graph.follow(pair())],
    [() => graph.approveFollower(pair()), ann, bea],
    [() => graph.removeFollower(pair()), ann, bea],
    [() => graph.follow(pair())],
    [() => graph.approveFollower(pair()), ann, bea],
    [() => profiles.deleteProfile({ userId: bea.id }), ann, bea],
  ]);
});

Authors("change with favourites and reposts", async () => {
  const { statuses } = services.clients;
  const [first, second, third] = [
    await publish(services, bea),
    await publish(services, bea),
    await publish(services, bea),
  ];
  const mark = { userId: ann.id, status: first };
  const repost = async () => (await statuses.repost(mark)).status?.id ?? 0n;
  await check([
    [() => statuses.favorite(mark), ann],
    [() => statuses.favorite(mark)],
    [() => statuses.unfavorite(mark), ann],
    [() => statuses.repost(mark), ann, bea],
    [() => statuses.repost(mark)],
    [() => statuses.unrepost(mark), ann, bea],
    [async () => statuses.deleteStatus({ authorId: ann.id, id: await repost() }), ann, bea],
    [() => statuses.favorite({ userId: ann.id, status: second }), ann],
    [() => statuses.deleteStatus(second), ann, bea],
    [() => statuses.repost({ userId: ann.id, status: third }), ann, bea],
    [() => statuses.deleteStatus(third), ann, bea],
  ]);
});

Authors("change with the protection and the suspension of those whom they reposted", async () => {
  const { moderation, profiles, statuses } = services.clients;
  await statuses.repost({ userId: ann.id, status: await publish(services, bea) });
  await check([
    [() => profiles.setProtected({ userId: bea.id, protected: true }), ann, bea],
    [() => profiles.setProtected({ userId: bea.id, protected: false }), ann, bea],
    [() => moderation.suspend({ userId: bea.id }), ann, bea],
    [() => moderation.reinstate({ userId: bea.id }), ann, bea],
  ]);
});

Authors.run();
