import * as assert from "uvu/assert";
import { type Person, person, publish } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Viewers = suite("viewer versions");
let services: TestServices;
let ann: Person;
let bea: Person;

Viewers.before(async () => {
  services = await startTestServices();
});
Viewers.before.each(async () => {
  [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
});
Viewers.after(() => services.stop());

async function versionsOf(...viewerIds: bigint[]): Promise<string[]> {
  return (await services.clients.versions.listVersions({ viewerIds })).viewerVersions;
}

/** Whether a write changes the viewer versions of ann and of bea. */
async function changes(write: () => Promise<unknown>): Promise<{ ann: boolean; bea: boolean }> {
  const before = await versionsOf(ann.id, bea.id);
  await write();
  const after = await versionsOf(ann.id, bea.id);
  return { ann: before[0] !== after[0], bea: before[1] !== after[1] };
}

const onlyAnn = { ann: true, bea: false };
const both = { ann: true, bea: true };
const neither = { ann: false, bea: false };

Viewers("change with the viewer's own writes", async () => {
  const { statuses, graph, people } = services.clients;
  const status = await publish(services, bea);
  const mark = { userId: ann.id, status };
  const pair = { followerId: ann.id, userId: bea.id };
  const mute = { userId: ann.id, screenName: bea.name };
  const writes = [
    () => graph.follow(pair),
    () => graph.setNotifications({ ...pair, notifications: true }),
    () => graph.unfollow(pair),
    () => statuses.favorite(mark),
    () => statuses.unfavorite(mark),
    () => statuses.repost(mark),
    () => statuses.unrepost(mark),
    () => people.muteUser({ ...mute, muted: true }),
    () => people.muteUser({ ...mute, muted: false }),
  ];
  for (const write of writes) assert.equal(await changes(write), onlyAnn, write.toString());
});

Viewers("change for both users with a block and its end", async () => {
  for (const blocked of [true, false]) {
    const block = () => services.clients.people.blockUser({ userId: ann.id, screenName: bea.name, blocked });
    assert.equal(await changes(block), both);
    assert.equal(await changes(block), neither);
  }
});

Viewers("change with others' writes to the relation", async () => {
  const { graph, profiles } = services.clients;
  const pair = { followerId: ann.id, userId: bea.id };
  await profiles.setProtected({ userId: bea.id, protected: true });
  const writes = [
    () => graph.follow(pair),
    () => graph.removeFollower(pair),
    () => graph.follow(pair),
    () => graph.approveFollower(pair),
    () => graph.removeFollower(pair),
    () => graph.follow(pair),
    () => graph.unfollow(pair),
  ];
  for (const write of writes) assert.equal(await changes(write), onlyAnn, write.toString());
});

Viewers("change when the viewer's repost is deleted", async () => {
  const { statuses } = services.clients;
  const original = await publish(services, bea);
  const { status } = await statuses.repost({ userId: ann.id, status: original });
  assert.equal(await changes(() => statuses.deleteStatus({ authorId: ann.id, id: status?.id ?? 0n })), onlyAnn);
});

Viewers("do not change with other writes, or with writes that change nothing", async () => {
  const { statuses, graph } = services.clients;
  const status = await publish(services, bea);
  const [mark, pair] = [
    { userId: ann.id, status },
    { followerId: ann.id, userId: bea.id },
  ];
  await graph.follow(pair);
  await statuses.favorite(mark);
  const writes = [
    () => publish(services, ann),
    () => graph.follow(pair),
    () => statuses.favorite(mark),
    () => statuses.unrepost(mark),
  ];
  for (const write of writes) assert.equal(await changes(write), neither, write.toString());
});

Viewers("show that a user has no profile", async () => {
  assert.equal(await versionsOf(1n), ["absent"]);
});

Viewers.run();
