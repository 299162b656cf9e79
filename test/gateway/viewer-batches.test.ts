import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { seen, wasFast } from "./fast-replies.ts";
import { postBatch, textsOf } from "./post-batch.ts";

const Batches = suite("gateway batches of signed-in clients");

let gateway: FakeGateway;
/** The states of users, by name, and of viewers. */
const states = new Map<string, string>();
/** Of which viewers the states were asked for. */
const askedViewers: bigint[] = [];

Batches.before(async () => {
  gateway = await startFakeGateway({ pageCacheBytes: 16 * 1024 * 1024, redisUrls: [] });
  gateway.answers.getSession = ({ sessionId }) =>
    sessionId.startsWith("of") ? { userId: BigInt(sessionId.slice(2)) } : {};
  gateway.answers.listTokens = ({ screenNames, viewerIds }) => {
    const viewerTokens = viewerIds.map((id) => stateOf(`viewer${id}`));
    for (const id of viewerIds) askedViewers.push(id);
    return { tokens: screenNames.map(stateOf), viewerTokens, keepMs: 60_000 };
  };
  gateway.answers.socialUsers = ({ screenNames }, { requestHeader, responseHeader }) => {
    responseHeader.set("roost-viewer-state", stateOf(`viewer${requestHeader.get("roost-viewer")}`));
    return { results: screenNames.map((name) => ({ screenName: name, freshness: stateOf(name) })) };
  };
  gateway.answers.socialTimelines = ({ screenName, take = 0n }, { requestHeader, responseHeader }) => {
    if (screenName === "gone") throw new ConnectError("no such user", Code.NotFound);
    const viewer = requestHeader.get("roost-viewer");
    if (states.has("seen")) {
      responseHeader.set("roost-viewer-seen", states.get("seen") as string);
      askedViewers.length = 0;
    } else if (viewer !== null)
      responseHeader.set("roost-viewer-state", states.get("shown") ?? stateOf(`viewer${viewer}`));
    const by = viewer === null ? "" : ` for ${viewer}, ${stateOf(`viewer${viewer}`)}`;
    return { results: [{ id: take, text: `of ${screenName}${by}` }], freshness: stateOf(screenName) };
  };
});
Batches.before.each(() => {
  states.clear();
  gateway.calls.length = 0;
});
Batches.after(() => gateway?.stop());

/** The state of a user; different for each. */
const stateOf = (name: string) => states.get(name) ?? `${name}.1`;

const post = (items: unknown, headers?: object, path?: string) => postBatch(gateway, items, headers, path);

Batches("come from the fast path, without a call, in the states of viewer and authors", async () => {
  const items = [{ screenName: "mia" }, { screenName: "ned" }, { screenName: "mia" }];
  const as = (id: number) => post(items, { authorization: `Bearer of${id}` });
  const text = (id: number, state = 1) =>
    ["mia", "ned", "mia"].map((name) => `of ${name} for ${id}, viewer${id}.${state}`);
  for (const id of [5, 6]) {
    const first = await as(id);
    assert.equal(textsOf(first), text(id));
    assert.is(first.headers["cache-control"], "private, no-cache");
    const calls = gateway.calls.length;
    for (let round = 0; round < 3; round++) assert.equal(seen(await as(id)), seen(first));
    assert.ok(await wasFast(gateway));
    assert.is(gateway.calls.length, calls);
  }
  assert.equal(textsOf(await as(5)), text(5));
  assert.equal(textsOf(await post(items)), ["of mia", "of ned", "of mia"]);
  states.set("viewer5", "viewer5.2");
  assert.equal(textsOf(await as(5)), text(5, 2));
  assert.not(await wasFast(gateway));
  assert.equal(textsOf(await as(6)), text(6));
  const before = await as(6);
  states.set("ned", "ned.2");
  const calls = gateway.calls.length;
  assert.equal(seen(await as(6)), seen(before));
  assert.is(gateway.calls.length, calls + 1, "the page of one author");
  // An ended session, and one that is in no state.
  assert.equal(textsOf(await post(items, { authorization: "Bearer ended" })), ["of mia", "of ned", "of mia"]);
  states.set("viewer6", "nobody");
  assert.equal(
    textsOf(await as(6)),
    ["mia", "ned", "mia"].map((name) => `of ${name} for 6, nobody`),
  );
  assert.not(await wasFast(gateway));
});

Batches("of lookups come from the fast path too", async () => {
  const items = [{ screenNames: ["ora", "pam"] }, { screenNames: ["quy"] }, { screenNames: ["ray", "ora"] }];
  const ask = () => post(items, { authorization: "Bearer of5" }, "/json/reply/SocialUsers[]");
  const first = await ask();
  assert.equal(first.text.match(/"screen_name":"\w+"/g)?.length, 5);
  for (let round = 0; round < 2; round++) assert.equal(seen(await ask()), seen(first));
  assert.ok(await wasFast(gateway));
});

Batches(
  "about more than 1,000 users leave nothing on the fast path, also where the items share the names of the query",
  async () => {
    const names = Array.from({ length: 400 }, (_, index) => `n${index}`);
    const path = `/json/reply/SocialUsers[]?screenNames=${names}`;
    for (const [count, isFast] of [
      [2, true],
      [3, false],
    ] as const) {
      for (const headers of [{}, { authorization: "Bearer of5" }]) {
        for (let round = 0; round < 3; round++)
          assert.is((await post(Array(count).fill({}), headers, path)).status, 200);
        assert.is(await wasFast(gateway), isFast, `${count} items`);
      }
    }
  },
);

Batches("take no page that shows no state of the viewer", async () => {
  const items = [{ screenName: "sam" }];
  const as = () => post(items, { authorization: "Bearer of9" });
  states.set("shown", "nobody");
  await as();
  states.delete("shown");
  states.set("viewer9", "nobody");
  const calls = gateway.calls.length;
  await as();
  assert.is(gateway.calls.length, calls + 1);
});

Batches("and timelines have the state of the viewer announced that a reply shows in several reads", async () => {
  states.set("seen", "viewer6.2");
  const headers = { authorization: "Bearer of6" };
  await post([{ screenName: "una" }], headers);
  assert.equal(askedViewers, [6n]);
  await gateway.send({ path: "/social/vic/timelines", headers });
  assert.equal(askedViewers, [6n]);
  gateway.answers.people.followRequests = (_request, { responseHeader }) => {
    responseHeader.set("roost-viewer-seen", "viewer6.3");
    askedViewers.length = 0;
    return {};
  };
  assert.is((await gateway.send({ path: "/json/reply/FollowRequests", headers })).status, 200);
  assert.equal(askedViewers, [6n]);
});

Batches("of other bodies take the viewer's pages that are in this process", async () => {
  const headers = { authorization: "Bearer of7" };
  await post([{ screenName: "oda" }, { screenName: "pia" }], headers);
  const calls = gateway.calls.length;
  const reply = await post([{ screenName: "pia" }, { screenName: "oda" }], headers);
  assert.equal(textsOf(reply), ["of pia for 7, viewer7.1", "of oda for 7, viewer7.1"]);
  assert.is(gateway.calls.length, calls);
  assert.is(reply.headers["cache-control"], "private, no-cache");
});

Batches("fail with the error of the first item that fails, and count the items before it", async () => {
  const items = [{ screenName: "eve" }, { screenName: "gone" }, { screenName: "fay" }];
  for (const headers of [{}, { authorization: "Bearer of8" }]) {
    for (let round = 0; round < 3; round++) {
      const reply = await post(items, headers);
      assert.equal([reply.status, reply.headers["x-autobatch-completed"]], [404, "1"]);
    }
  }
  states.set("gone", "unknown");
  for (const headers of [{}, { authorization: "Bearer of8" }]) {
    for (let round = 0; round < 3; round++) assert.is((await post(items, headers)).status, 404);
  }
});

Batches.run();
