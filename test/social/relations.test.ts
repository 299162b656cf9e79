import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { as, idsOf, type Person, person, profileOf, usePeople, valuesOf } from "../support/people.ts";
import { refusalLine } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { useServicesWithoutDrift } from "./drift.ts";
import { allPages } from "./pages.ts";

const Relations = suite("users' relations");

const services = useServicesWithoutDrift(Relations);
const [ann, bea, shy] = usePeople(Relations, services, "ann", "bea", "shy");
Relations.before.each(async () => {
  await services.clients.people.updateProfile({ userId: shy.id, protected: true });
});

const people = () => services.clients.people;

/** The relation in an answer, as text. */
async function follow(follower: Person, user: Person, fields: object = {}) {
  const { results } = await people().followUser({ userId: follower.id, screenName: user.name, ...fields });
  return relationOf(results);
}

async function answer(user: Person, follower: Person, approved?: boolean) {
  const request = { userId: user.id, screenName: follower.name, ...(approved === undefined ? {} : { approved }) };
  return relationOf((await people().answerFollower(request)).results);
}

type Results = Awaited<ReturnType<TestServices["clients"]["people"]["followUser"]>>["results"];

function relationOf(results: Results): string {
  const [user] = results;
  if (user === undefined || results.length !== 1) throw new Error("not one user");
  const { following, followRequestSent, notifications } = user;
  const words = { following, asked: followRequestSent, notified: notifications };
  return Object.entries(words)
    .filter(([, isSo]) => isSo)
    .map(([word]) => word)
    .join(" ");
}

Relations("can be changed by an internal caller, for whom the user's id counts and not the name", async () => {
  const { results } = await people().followUser({ userId: ann.id, subjectId: bea.id, screenName: shy.name });
  assert.is(results[0]?.screenName, bea.name);
  assert.is(relationOf(results), "following");
  assert.is(await refusalLine(people().followUser({ userId: ann.id, subjectId: 1n })), "NotFound");
  const own = { userId: ann.id, subjectId: ann.id };
  assert.is(await refusalLine(people().followUser(own)), "InvalidArgument screenName RegularExpression");
  assert.is(
    await refusalLine(people().answerFollower({ ...own, requestId: "x" })),
    "InvalidArgument screenName RegularExpression approved NotEmpty requestId RegularExpression",
  );
});

Relations("keep their notifications when they are requested again, and lose them when they end", async () => {
  assert.is(await follow(ann, bea, { notifications: true }), "following notified");
  assert.is(await follow(ann, bea, { following: true }), "following notified");
  assert.is(await follow(ann, bea, { notifications: false }), "following");
  await follow(ann, bea, { notifications: true });
  for (const _again of [1, 2]) assert.is(await follow(ann, bea, { following: false, notifications: true }), "");
  assert.is(await follow(ann, bea), "following");
});

Relations("with a protected user are requests, whose notifications count from the approval on", async () => {
  assert.is(await follow(ann, shy, { notifications: true }), "asked");
  assert.is(await answer(shy, ann, true), "");
  assert.is(await follow(ann, shy), "following notified");
  assert.is(await refusalLine(answer(shy, ann, true)), "NotFound");
  assert.is(await follow(bea, shy, { notifications: true }), "asked");
  assert.is(await follow(bea, shy, { notifications: false }), "asked");
  await answer(shy, bea, true);
  assert.is(await follow(bea, shy), "following");
});

Relations("are approved and ended by the protected user, whose own relation the answer has", async () => {
  await follow(shy, ann);
  await follow(ann, shy);
  const approval = { userId: shy.id, screenName: ann.name, approved: true, requestId: randomUUID() };
  for (const _again of [1, 2]) {
    assert.is(relationOf((await people().answerFollower(approval)).results), "following");
  }
  assert.is(await refusalLine(answer(shy, ann, true)), "NotFound");
  await answer(shy, ann, false);
  assert.equal([(await profileOf(services, shy))?.followersCount, await follow(ann, shy)], [0, "asked"]);
  await answer(shy, ann, false);
  assert.is(await refusalLine(answer(shy, ann, true)), "NotFound");
});

Relations("are listed in pages, the newest first, each once, as the viewer sees them", async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => person(services, "other")));
  for (const other of others) {
    await follow(other, ann);
    await follow(ann, other);
  }
  await follow(bea, others[4] as Person);
  const names = others.map(({ name }) => name).toReversed();
  const screenName = ann.name.toUpperCase();
  for (const list of ["socialFollowers", "socialFriends"] as const) {
    const pages = await allPages((page) => people()[list]({ screenName, ...page }, as(bea)), 2n);
    assert.equal(
      pages.map((page) => valuesOf(page, "screenName")),
      [names.slice(0, 2), names.slice(2, 4), names.slice(4)],
    );
    assert.equal(valuesOf(pages[0] ?? [], "following"), [true, false]);
    const whole = await people()[list]({ screenName, take: 9_999n });
    assert.equal([whole.results.length, whole.next, whole.results[0]?.following], [5, "", undefined]);
  }
});

Relations("of a protected user are listed for approved followers, and requests only for the user", async () => {
  await follow(ann, shy);
  await answer(shy, ann, true);
  await follow(bea, shy);
  for (const viewer of [shy, ann]) {
    const { results } = await people().socialFollowers({ screenName: shy.name }, as(viewer));
    assert.equal(idsOf(results), [ann.id]);
  }
  assert.is(await refusalLine(people().socialFriends({ screenName: shy.name }, as(bea))), "PermissionDenied");
  assert.equal(idsOf((await people().followRequests({ userId: shy.id })).results), [bea.id]);
  assert.is(await refusalLine(people().followRequests({ userId: shy.id }, as(ann))), "PermissionDenied");
});

Relations("refuse a changed cursor, and one of another list or of a user who is not there", async () => {
  for (const user of [bea, shy]) await follow(user, ann);
  const { next } = await people().socialFollowers({ screenName: ann.name, take: 1n });
  const bad = "InvalidArgument cursor RegularExpression";
  const tampered = `${next.slice(0, 2)}${next[2] === "A" ? "B" : "A"}${next.slice(3)}`;
  for (const cursor of [tampered, `${next}=`, `${next} `, "?", "0", "e30"]) {
    assert.is(await refusalLine(people().socialFollowers({ screenName: ann.name, cursor })), bad, cursor);
  }
  assert.is(await refusalLine(people().socialFollowers({ screenName: "no_such_user", cursor: next })), bad);
  assert.is(await refusalLine(people().followRequests({ userId: ann.id, cursor: next })), bad);
});

Relations("are listed with every user once when they have the same time, and others are added meanwhile", async () => {
  const others = await Promise.all(Array.from({ length: 9 }, () => person(services, "same")));
  for (const other of others) await services.clients.graph.follow({ followerId: other.id, userId: ann.id });
  await services.database.query(
    "update social.follow set created_at = '2020-01-01T00:00:00.123456Z' where user_id = $1",
    [ann.id],
  );
  const { users, nextCursor } = await services.clients.graph.listFollowers({ userId: ann.id, pageSize: 4 });
  const late = await person(services, "late");
  await services.clients.graph.follow({ followerId: late.id, userId: ann.id });
  await services.clients.graph.unfollow({ followerId: users[0]?.id ?? 0n, userId: ann.id });
  const rest = await services.clients.graph.listFollowers({ userId: ann.id, pageSize: 100, cursor: nextCursor });
  assert.equal(idsOf([...users, ...rest.users]), idsOf(others).toReversed());
});

Relations("that are requested stay so when protection ends, until they are approved or become follows", async () => {
  const { graph, profiles } = services.clients;
  const followers = async () => (await profileOf(services, shy))?.followersCount;
  const requests = async () => (await people().followRequests({ userId: shy.id })).results;
  for (const follower of [ann, bea]) await graph.follow({ followerId: follower.id, userId: shy.id });
  await profiles.setProtected({ userId: shy.id, protected: false });
  assert.equal([await followers(), (await requests()).length], [0, 2]);
  await graph.approveFollower({ userId: shy.id, followerId: ann.id });
  await graph.follow({ followerId: bea.id, userId: shy.id });
  assert.equal([await followers(), await requests()], [2, []]);
});

Relations.run();
