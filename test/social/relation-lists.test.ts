import * as assert from "uvu/assert";
import { type Person, person, profileOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const Lists = suite("relation lists");
let services: TestServices;

useSharedServices(Lists, (shared) => (services = shared));

const as = (viewer?: Person) => (viewer === undefined ? {} : { headers: { "roost-viewer": `${viewer.id}` } });
type List = "listFollowers" | "listFriends" | "listFollowRequests";

/** Every page of a list, by the users' names; at most 50 pages. */
async function pages(list: List, user: Person, pageSize: number, viewer?: Person): Promise<string[][]> {
  const found: string[][] = [];
  for (let cursor = ""; found.length < 50; ) {
    const page = await services.clients.graph[list]({ userId: user.id, pageSize, cursor }, as(viewer));
    found.push(page.users.map((shown) => shown.screenName));
    cursor = page.nextCursor;
    if (cursor === "") return found;
  }
  throw new Error("no end");
}

Lists("page through followers and friends, the newest first, each once", async () => {
  const ann = await person(services, "ann");
  const others = await Promise.all(Array.from({ length: 7 }, () => person(services, "other")));
  for (const other of others) {
    await services.clients.graph.follow({ followerId: other.id, userId: ann.id });
    await services.clients.graph.follow({ followerId: ann.id, userId: other.id });
  }
  const names = others.map(({ name }) => name).toReversed();
  for (const list of ["listFollowers", "listFriends"] as const) {
    assert.equal(await pages(list, ann, 3), [names.slice(0, 3), names.slice(3, 6), names.slice(6)]);
    assert.equal(await pages(list, ann, 7), [names]);
  }
  assert.equal(await pages("listFollowers", others[0] as Person, 200), [[ann.name]]);
});

Lists("show every user once when relations have the same time, and when others are added between pages", async () => {
  const ann = await person(services, "ann");
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
  const seen = [...users, ...rest.users].map(({ id }) => id);
  assert.equal(seen, others.map(({ id }) => id).toReversed());
});

Lists("show each user as the viewer sees it", async () => {
  const [ann, bea, cat] = [await person(services, "ann"), await person(services, "bea"), await person(services, "cat")];
  const { graph } = services.clients;
  await graph.follow({ followerId: bea.id, userId: ann.id });
  await graph.follow({ followerId: cat.id, userId: bea.id });
  const flags = async (viewer?: Person) =>
    (await graph.listFollowers({ userId: ann.id }, as(viewer))).users[0]?.following;
  assert.equal([await flags(cat), await flags(ann), await flags()], [true, false, undefined]);
});

Lists("of a protected user are shown to the user and approved followers, requests only to the user", async () => {
  const [shy, ann, bea] = [await person(services, "shy"), await person(services, "ann"), await person(services, "bea")];
  const { graph, profiles } = services.clients;
  await graph.follow({ followerId: ann.id, userId: shy.id });
  await profiles.setProtected({ userId: shy.id, protected: true });
  await graph.follow({ followerId: bea.id, userId: shy.id });
  const answer = (list: List, viewer?: Person) =>
    graph[list]({ userId: shy.id }, as(viewer)).then(
      ({ users }) => users.map(({ screenName }) => screenName),
      async (error: Error) => (await refusalOf(Promise.reject(error))).code,
    );
  for (const list of ["listFollowers", "listFriends"] as const) {
    const all = list === "listFollowers" ? [ann.name] : [];
    assert.equal([await answer(list, shy), await answer(list, ann)], [all, all]);
    assert.equal([await answer(list, bea), await answer(list)], ["PermissionDenied", "Unauthenticated"]);
  }
  assert.equal(await answer("listFollowRequests", shy), [bea.name]);
  assert.equal(await answer("listFollowRequests", ann), "PermissionDenied");
});

Lists("refuse invalid paging and unknown users", async () => {
  const { graph } = services.clients;
  const ann = await person(services, "ann");
  const refused = async (request: object) =>
    (await refusalOf(graph.listFollowers({ userId: ann.id, ...request }))).fields;
  assert.equal(await refused({ pageSize: 0, cursor: "?" }), ["take InclusiveBetween", "cursor RegularExpression"]);
  assert.is((await refusalOf(graph.listFriends({ userId: 7n }))).code, "NotFound");
});

Lists("do not show removed followers and rejected requests, who may follow again", async () => {
  const [shy, ann] = [await person(services, "shy"), await person(services, "ann")];
  const { graph, profiles } = services.clients;
  const pair = { followerId: ann.id, userId: shy.id };
  await graph.follow(pair);
  await graph.removeFollower(pair);
  await graph.removeFollower(pair);
  assert.equal(
    [(await profileOf(services, shy))?.followersCount, (await profileOf(services, ann))?.friendsCount],
    [0, 0],
  );
  await profiles.setProtected({ userId: shy.id, protected: true });
  await graph.follow(pair);
  await graph.removeFollower(pair);
  await graph.removeFollower(pair);
  assert.equal((await pages("listFollowRequests", shy, 10, shy)).flat(), []);
  await graph.follow(pair);
  await graph.approveFollower(pair);
  assert.is((await profileOf(services, shy))?.followersCount, 1);
});

Lists("keep requests open when protection ends, until they are approved or become follows", async () => {
  const [shy, ann, bea] = [await person(services, "shy"), await person(services, "ann"), await person(services, "bea")];
  const { graph, profiles } = services.clients;
  await profiles.setProtected({ userId: shy.id, protected: true });
  for (const follower of [ann, bea]) await graph.follow({ followerId: follower.id, userId: shy.id });
  await profiles.setProtected({ userId: shy.id, protected: false });
  assert.equal([await followers(shy), (await pages("listFollowRequests", shy, 10, shy)).flat().length], [0, 2]);
  await graph.approveFollower({ userId: shy.id, followerId: ann.id });
  await graph.follow({ followerId: bea.id, userId: shy.id });
  assert.equal([await followers(shy), (await pages("listFollowRequests", shy, 10, shy)).flat()], [2, []]);
});

const followers = async (user: Person) => (await profileOf(services, user))?.followersCount;

Lists.run();
