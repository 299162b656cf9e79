import * as assert from "uvu/assert";
import { person, publish } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { untilAccepted } from "../support/until-accepted.ts";
import { useServicesWithoutDrift } from "./drift.ts";

const Relations = suite("relations");
let services: TestServices;
let ann: bigint;
let bea: bigint;
let shy: bigint;

useServicesWithoutDrift(Relations, (shared) => (services = shared));
Relations.before.each(async () => {
  [ann, bea, shy] = [await createAs("ann"), await createAs("bea"), await createAs("shy")];
  await services.clients.profiles.updateProfile({
    userId: shy,
    profile: { protected: true },
    updateMask: { paths: ["protected"] },
  });
});

const names: Record<string, string> = {};

async function createAs(name: string): Promise<bigint> {
  const { id, name: screenName } = await person(services, name);
  names[name] = screenName;
  return id;
}

const as = (viewer: bigint | undefined) => (viewer === undefined ? {} : { headers: { "roost-viewer": `${viewer}` } });

async function profile(userId: bigint, viewer?: bigint) {
  const [found] = (await services.clients.social.socialUsers({ userIds: [userId] }, as(viewer))).results;
  if (found === undefined) throw new Error("no profile");
  return found;
}

const timeline = (name: string, viewer?: bigint) =>
  services.clients.social.socialTimelines({ screenName: names[name] ?? "" }, as(viewer));

async function relation(userId: bigint, viewer?: bigint) {
  const { following, followRequestSent, notifications } = await profile(userId, viewer);
  return [following, followRequestSent, notifications];
}

Relations("show an anonymous caller no flags, and a viewer always three, also of the own profile", async () => {
  assert.equal(await relation(bea), [undefined, undefined, undefined]);
  assert.equal(await relation(bea, ann), [false, false, false]);
  assert.equal(await relation(ann, ann), [false, false, false]);
});

Relations("count a repeated follow once for both users, and a repeated unfollow once", async () => {
  const { follow, unfollow } = services.clients.graph;
  for (let again = 0; again < 3; again++) {
    assert.is((await follow({ followerId: ann, userId: bea })).results[0]?.following, true);
  }
  assert.equal(await relation(bea, ann), [true, false, false]);
  assert.equal([(await profile(ann)).friendsCount, (await profile(bea)).followersCount], [1, 1]);
  for (let again = 0; again < 3; again++) await unfollow({ followerId: ann, userId: bea });
  assert.equal(await relation(bea, ann), [false, false, false]);
  assert.equal([(await profile(ann)).friendsCount, (await profile(bea)).followersCount], [0, 0]);
});

Relations("have notifications only for followers who set them", async () => {
  const { follow, setNotifications } = services.clients.graph;
  const wish = { followerId: ann, userId: bea, notifications: true };
  await follow({ followerId: ann, userId: bea });
  await setNotifications(wish);
  assert.equal(await relation(bea, ann), [true, false, true]);
  assert.is((await timeline("bea", ann)).author?.notifications, true);
  assert.is((await timeline("bea")).author?.notifications, undefined);
});

Relations("show a protected user's statuses only to the user and approved followers", async () => {
  const { follow, approveFollower, unfollow } = services.clients.graph;
  const { id } = await publish(services, shy, "whispered");
  const mayRead = async (viewer?: bigint) => {
    const shown = (await profile(shy, viewer)).status?.id === id;
    const read = await timeline("shy", viewer).then(
      ({ results }) => results.length === 1,
      async (error) => (await refusalOf(Promise.reject(error as Error))).code,
    );
    return [shown, read];
  };
  assert.equal(await mayRead(), [false, "Unauthenticated"]);
  assert.equal(await mayRead(ann), [false, "PermissionDenied"]);
  assert.equal(await mayRead(shy), [true, true]);

  assert.is((await follow({ followerId: ann, userId: shy })).results[0]?.followRequestSent, true);
  assert.equal(await relation(shy, ann), [false, true, false]);
  assert.equal(await mayRead(ann), [false, "PermissionDenied"]);
  assert.is((await refusalOf(approveFollower({ userId: shy, followerId: bea }))).code, "NotFound");
  await approveFollower({ userId: shy, followerId: ann });
  assert.equal(await relation(shy, ann), [true, false, false]);
  assert.equal(await mayRead(ann), [true, true]);
  assert.is((await profile(shy)).followersCount, 1);
  assert.is((await follow({ followerId: ann, userId: shy })).results[0]?.following, true);

  await unfollow({ followerId: ann, userId: shy });
  assert.equal(await mayRead(ann), [false, "PermissionDenied"]);
});

Relations("count a favourite once, and show it only to its user", async () => {
  const { favorite, unfavorite } = services.clients.statuses;
  const status = await publish(services, bea);
  const flag = async (viewer?: bigint) => (await timeline("bea", viewer)).results[0]?.favorited;
  for (let again = 0; again < 3; again++) await favorite({ userId: ann, status });
  assert.equal([await flag(ann), await flag(bea), await flag()], [true, false, false]);
  assert.is((await profile(bea, ann)).status?.favorited, true);
  assert.is((await profile(ann)).favouritesCount, 1);
  for (let again = 0; again < 3; again++) await unfavorite({ userId: ann, status });
  assert.is(await flag(ann), false);
  assert.is((await profile(ann)).favouritesCount, 0);
});

Relations("publish a repost once as a status of its user, and remove it on undo", async () => {
  const { repost, unrepost } = services.clients.statuses;
  const status = await publish(services, bea, `${"long ".repeat(55)}end`);
  const first = await repost({ userId: ann, status });
  const second = await repost({ userId: ann, status });
  assert.is(first.status?.id, second.status?.id);
  const [shown] = (await timeline("ann")).results;
  assert.is(shown?.text, first.status?.text);
  assert.match(shown?.text ?? "", new RegExp(`^RT @${names.bea}: long .*…$`));
  assert.equal([[...(shown?.text ?? "")].length, shown?.truncated], [279, true]);
  assert.equal(
    shown?.entities?.userMentions.map(({ id, indices }) => ({ id, indices })),
    [{ id: bea, indices: [3, 4 + (names.bea?.length ?? 0)] }],
  );
  const original = async (viewer?: bigint) => {
    const found = (await timeline("bea", viewer)).results[0];
    return [found?.retweetCount, found?.retweeted];
  };
  assert.equal(
    [await original(ann), await original(bea), await original()],
    [
      [1, true],
      [1, false],
      [1, false],
    ],
  );
  assert.is((await profile(ann)).statusesCount, 1);

  // A repost of the repost counts for the original.
  await repost({ userId: shy, status: { authorId: ann, id: first.status?.id ?? 0n } });
  assert.equal(await original(), [2, false]);

  await unrepost({ userId: ann, status });
  await unrepost({ userId: ann, status });
  assert.equal(await original(ann), [1, false]);
  assert.equal([(await profile(ann)).statusesCount, (await profile(ann)).status], [0, undefined]);
  assert.equal((await timeline("ann")).results, []);
});

Relations("refuse reposts of a protected user's statuses, and favourites of those who may not read them", async () => {
  const status = await publish(services, shy);
  const { favorite, repost } = services.clients.statuses;
  assert.is((await refusalOf(favorite({ userId: ann, status }))).code, "PermissionDenied");
  assert.is((await refusalOf(repost({ userId: ann, status }))).code, "PermissionDenied");
  assert.is((await refusalOf(repost({ userId: shy, status }))).code, "PermissionDenied");
  await favorite({ userId: shy, status });
});

Relations("refuse unknown users and statuses", async () => {
  const { graph, statuses } = services.clients;
  const status = await publish(services, bea);
  const refused = async (call: Promise<unknown>) => (await refusalOf(call)).code;
  assert.is(await refused(graph.follow({ followerId: ann, userId: 7n })), "NotFound");
  assert.is(await refused(graph.follow({ followerId: 7n, userId: ann })), "Unavailable");
  assert.is(await refused(graph.follow({ followerId: ann, userId: ann })), "InvalidArgument");
  assert.is(await refused(statuses.favorite({ userId: 7n, status })), "Unavailable");
  assert.is(await refused(statuses.favorite({ userId: ann, status: { ...status, id: 7n } })), "NotFound");
});

// The counters are checked after each test.
Relations("keep all counters right with concurrent writes", async () => {
  const status = await publish(services, bea);
  const { graph, statuses } = services.clients;
  const users = [ann, bea, shy];
  const steps = Array.from({ length: 240 }, (_, step) => {
    const followerId = users[step % 3] as bigint;
    const userId = users[(step + 1 + (step % 2)) % 3] as bigint;
    const actions = [
      () => graph.follow({ followerId, userId }),
      () => graph.unfollow({ followerId, userId }),
      () => statuses.favorite({ userId: followerId, status }),
      () => statuses.unfavorite({ userId: followerId, status }),
      () => statuses.repost({ userId: followerId, status }),
      () => statuses.unrepost({ userId: followerId, status }),
    ];
    return actions[(step * 7) % 6];
  });
  await Promise.all(steps.map(async (step) => step && untilAccepted<unknown>(step)));
});

Relations.run();
