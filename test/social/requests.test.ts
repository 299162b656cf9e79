import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { loadConfig } from "../../services/social/config.ts";
import { createContext } from "../../services/social/context.ts";
import { maintain } from "../../services/social/maintenance.ts";
import { type Person, person, profileOf, publish, timelineOf, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const Requests = suite("requests");

const services = useSharedServices(Requests);
const [ann, bea] = usePeople(Requests, services, "ann", "bea");

/** Every write of a user, with bea's status if it needs one. */
function writes(status: { authorId: bigint; id: bigint }, requestId: string): [string, () => Promise<unknown>][] {
  const { graph, statuses, profiles } = services.clients;
  const pair = { followerId: ann.id, userId: bea.id, requestId };
  const mark = { userId: ann.id, status, requestId };
  const profile = { userId: ann.id, profile: { name: "A" }, updateMask: { paths: ["name"] }, requestId };
  return [
    ["Follow", () => graph.follow(pair)],
    ["SetNotifications", () => graph.setNotifications({ ...pair, notifications: true })],
    ["Unfollow", () => graph.unfollow(pair)],
    ["Favorite", () => statuses.favorite(mark)],
    ["Unfavorite", () => statuses.unfavorite(mark)],
    ["Repost", () => statuses.repost(mark)],
    ["Unrepost", () => statuses.unrepost(mark)],
    ["PublishStatus", () => statuses.publishStatus({ authorId: ann.id, text: "x", requestId })],
    ["DeleteStatus", () => statuses.deleteStatus({ ...status, requestId })],
    ["UpdateProfile", () => profiles.updateProfile(profile)],
    ["SetProtected", () => profiles.setProtected({ userId: ann.id, protected: true, requestId })],
    ["SetVerified", () => profiles.setVerified({ userId: ann.id, verified: true, requestId })],
    ["RemoveFollower", () => graph.removeFollower({ userId: ann.id, followerId: bea.id, requestId })],
  ];
}

Requests("need a request id for every write", async () => {
  const status = await publish(services, bea);
  for (const [name, call] of writes(status, "")) {
    assert.equal((await refusalOf(call())).fields, ["requestId NotEmpty"], name);
  }
  for (const [name, call] of writes(status, "7")) {
    assert.equal((await refusalOf(call())).fields, ["requestId RegularExpression"], name);
  }
});

Requests("of every write get the first answer when they are repeated, and change nothing", async () => {
  const status = await publish(services, bea);
  const calls = writes(status, "").map(([, _], index) => writes(status, randomUUID())[index]);
  for (const entry of calls) {
    const [name, call] = entry ?? ["", () => Promise.reject(new Error("none"))];
    const first = await call();
    const before = await services.database.query("select * from social.profile order by user_id");
    assert.equal(await call(), first, name);
    assert.equal(await services.database.query("select * from social.profile order by user_id"), before, name);
  }
});

Requests("with other content under the same id are refused, also by another method", async () => {
  const requestId = randomUUID();
  const { statuses, graph } = services.clients;
  await statuses.publishStatus({ authorId: ann.id, text: "one", requestId });
  for (const call of [
    () => statuses.publishStatus({ authorId: ann.id, text: "two", requestId }),
    () => graph.follow({ followerId: ann.id, userId: bea.id, requestId }),
    () => statuses.deleteStatus({ authorId: ann.id, id: 5n, requestId: requestId.toUpperCase() }),
  ]) {
    const refusal = await refusalOf(call());
    assert.equal([refusal.code, refusal.fields], ["InvalidArgument", ["requestId Equal"]]);
  }
  const pair = { followerId: ann.id, userId: bea.id, requestId: randomUUID() };
  await graph.follow(pair);
  assert.equal((await refusalOf(graph.unfollow(pair))).fields, ["requestId Equal"]);
  // Request ids belong to a user: another one may have chosen the same.
  await statuses.publishStatus({ authorId: bea.id, text: "two", requestId });
  assert.is((await timelineOf(services, ann)).length, 1);
});

Requests("get the first answer also when their status was deleted", async () => {
  const request = { authorId: ann.id, text: "gone", requestId: randomUUID() };
  const { status } = await services.clients.statuses.publishStatus(request);
  await services.clients.statuses.deleteStatus({ authorId: ann.id, id: status?.id ?? 0n });
  assert.is((await services.clients.statuses.publishStatus(request)).status?.id, status?.id);
  assert.equal(await timelineOf(services, ann), []);
});

Requests("that are sent concurrently take effect once, and all get the same answer", async () => {
  const request = { authorId: ann.id, text: "once", requestId: randomUUID() };
  const answers = await Promise.all(Array.from({ length: 24 }, () => services.clients.statuses.publishStatus(request)));
  assert.is(new Set(answers.map(({ status }) => status?.id)).size, 1);
  assert.is((await timelineOf(services, ann)).length, 1);
  assert.is((await profileOf(services, ann))?.statusesCount, 1);
});

Requests("that failed may be repeated under their id", async () => {
  const request = { userId: ann.id, followerId: bea.id, requestId: randomUUID() };
  const { graph, profiles } = services.clients;
  await profiles.setProtected({ userId: ann.id, protected: true });
  assert.is((await refusalOf(graph.approveFollower(request))).code, "NotFound");
  await graph.follow({ followerId: bea.id, userId: ann.id });
  await graph.approveFollower(request);
  assert.is((await profileOf(services, ann))?.followersCount, 1);
});

Requests("are stored for 72 hours and then deleted", async () => {
  const request = { authorId: ann.id, text: "old", requestId: randomUUID() };
  const { status: first } = await services.clients.statuses.publishStatus(request);
  const age = (hours: number) =>
    services.database.query(
      "update social.request set created_at = now() - make_interval(hours => $1) where user_id = $2",
      [hours, ann.id],
    );
  const ctx = createContext(loadConfig({ SOCIAL_DATABASE_URL: services.database.social }), services.log);
  await age(72);
  await maintain(ctx);
  assert.is((await services.clients.statuses.publishStatus(request)).status?.id, first?.id);
  await age(74);
  await maintain(ctx);
  assert.is.not((await services.clients.statuses.publishStatus(request)).status?.id, first?.id);
  await ctx.close();
});

Requests.run();

const MissingActor = suite("an actor without a profile");
useSharedServices(MissingActor);

/** The error codes of all operations with an actor for this user. */
async function codesFor(userId: bigint, other: Person): Promise<(string | undefined)[]> {
  const { name: screenName } = other;
  const { id } = await publish(services, other);
  const { people } = services.clients;
  const calls = [
    people.publishStatus({ userId, text: "x" }),
    people.followUser({ userId, screenName }),
    people.blockUser({ userId, screenName }),
    people.updateProfile({ userId }),
    people.updateProfile({ userId, location: "x" }),
    people.followRequests({ userId }),
    people.markStatus({ userId, screenName, id, favorited: true }),
  ];
  return Promise.all(calls.map(async (call) => (await refusalOf(call)).code));
}

MissingActor("gets Unavailable, since the profile of a new user is created later", async () => {
  const ann = await person(services, "ann");
  assert.equal(await codesFor(9_999_999n, ann), Array(7).fill("Unavailable"));
});

MissingActor("gets Unauthenticated after its deletion, since the session has ended, too", async () => {
  const [ann, gone] = [await person(services, "ann"), await person(services, "gone")];
  await services.clients.profiles.deleteProfile({ userId: gone.id });
  assert.equal(await codesFor(gone.id, ann), Array(7).fill("Unauthenticated"));
});

MissingActor.run();
