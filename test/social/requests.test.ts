import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { person, publish, timelineOf, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { maintainOnce } from "./drift.ts";

const Requests = suite("requests");

const services = useSharedServices(Requests);
const [ann, bea] = usePeople(Requests, services, "ann", "bea");

/** Every write of a user, as the RPCs have them, with bea's status if it needs one. */
function writes(status: { authorId: bigint; id: bigint }, requestId: string): [string, () => Promise<unknown>][] {
  const { graph, statuses, profiles } = services.clients;
  const pair = { followerId: ann.id, userId: bea.id, requestId };
  const mark = { userId: ann.id, status, requestId };
  const profile = { userId: ann.id, profile: { name: "A" }, updateMask: { paths: ["name"] }, requestId };
  return [
    ["Follow", () => graph.follow(pair)],
    ["Unfollow", () => graph.unfollow(pair)],
    ["Favorite", () => statuses.favorite(mark)],
    ["Repost", () => statuses.repost(mark)],
    ["Unrepost", () => statuses.unrepost(mark)],
    ["PublishStatus", () => statuses.publishStatus({ authorId: ann.id, text: "x", requestId })],
    ["DeleteStatus", () => statuses.deleteStatus({ ...status, requestId })],
    ["UpdateProfile", () => profiles.updateProfile(profile)],
    ["SetVerified", () => profiles.setVerified({ userId: ann.id, verified: true, requestId })],
    ["RemoveFollower", () => graph.removeFollower({ userId: ann.id, followerId: bea.id, requestId })],
  ];
}

Requests("need a request id for every write", async () => {
  const status = await publish(services, bea);
  for (const [requestId, code] of [
    ["", "NotEmpty"],
    ["7", "RegularExpression"],
  ] as const) {
    for (const [name, call] of writes(status, requestId))
      assert.equal((await refusalOf(call())).fields, [`requestId ${code}`], name);
  }
});

Requests("of every write get the first answer when they are repeated, and change nothing", async () => {
  const status = await publish(services, bea);
  const profiles = () => services.database.query("select * from social.profile order by user_id");
  for (const index of writes(status, "").keys()) {
    const [name, call] = writes(status, randomUUID())[index] as ReturnType<typeof writes>[number];
    const first = await call();
    const before = await profiles();
    assert.equal([await call(), await profiles()], [first, before], name);
  }
});

Requests("of two users may have the same id", async () => {
  const requestId = randomUUID();
  for (const { id } of [ann, bea])
    await services.clients.statuses.publishStatus({ authorId: id, text: "x", requestId });
  for (const who of [ann, bea]) assert.is((await timelineOf(services, who)).length, 1);
});

Requests("get the first answer also when their status was deleted", async () => {
  const request = { authorId: ann.id, text: "gone", requestId: randomUUID() };
  const { status } = await services.clients.statuses.publishStatus(request);
  await services.clients.statuses.deleteStatus({ authorId: ann.id, id: status?.id ?? 0n });
  assert.is((await services.clients.statuses.publishStatus(request)).status?.id, status?.id);
  assert.equal(await timelineOf(services, ann), []);
});

Requests("are stored for 72 hours and then deleted", async () => {
  const request = { authorId: ann.id, text: "old", requestId: randomUUID() };
  const publish = async () => (await services.clients.statuses.publishStatus(request)).status?.id;
  const first = await publish();
  const age = (hours: number) =>
    services.database.query(
      "update social.request set created_at = now() - make_interval(hours => $1) where user_id = $2",
      [hours, ann.id],
    );
  await age(72);
  await maintainOnce(services);
  assert.is(await publish(), first);
  await age(74);
  await maintainOnce(services);
  assert.is.not(await publish(), first);
});

Requests.run();

const MissingActor = suite("an actor without a profile");
useSharedServices(MissingActor);

/** The error codes of a write, a read of the own profile and a list with an actor for this user. */
async function codesFor(userId: bigint): Promise<string[]> {
  const codes: string[] = [];
  const { people } = services.clients;
  for (const call of [
    () => people.publishStatus({ userId, text: "x" }),
    () => people.updateProfile({ userId }),
    () => people.followRequests({ userId }),
  ])
    codes.push((await refusalOf(call())).code);
  return codes;
}

MissingActor("gets Unavailable, since the profile of a new user is created later", async () => {
  assert.equal(await codesFor(9_999_999n), Array(3).fill("Unavailable"));
});

MissingActor("gets Unauthenticated after its deletion, since the session has ended, too", async () => {
  const { id: userId } = await person(services, "gone");
  await services.clients.profiles.deleteProfile({ userId });
  assert.equal(await codesFor(userId), Array(3).fill("Unauthenticated"));
});

MissingActor.run();
