import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { loadConfig } from "../../gateway/config.ts";
import { maxBytesOfBatches } from "../../gateway/http/limits/limits.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { seen, wasFast } from "./fast-replies.ts";
import { postBatch, textsOf } from "./post-batch.ts";

const Batches = suite("gateway batches of cached pages");

let gateway: FakeGateway;
/** The states of users, by name; s1.0 for the others. */
const states = new Map<string, string>();
/** The names of each request for tokens. */
const asked: string[][] = [];

Batches.before(async () => {
  gateway = await startFakeGateway({ pageCacheBytes: 16 * 1024 * 1024, redisUrls: [] });
  gateway.answers.listTokens = ({ screenNames }) => {
    asked.push(screenNames);
    return { tokens: screenNames.map(stateOf), keepMs: 60_000 };
  };
  gateway.answers.socialTimelines = ({ screenName, take = 0n }) => {
    if (screenName === "gone") throw new ConnectError("no such user", Code.NotFound);
    return { results: [{ id: take, text: `of ${screenName}` }], freshness: stateOf(screenName) };
  };
});
Batches.before.each(() => {
  states.clear();
  asked.length = 0;
  gateway.calls.length = 0;
});
Batches.after(() => gateway?.stop());

/** The state of a user; different for each. */
const stateOf = (name: string) => states.get(name) ?? `${name}.1`;

const post = (items: unknown, headers?: object, path?: string) => postBatch(gateway, items, headers, path);

Batches("request the tokens of all items in one call", async () => {
  await post(Array.from({ length: 10 }, (_, item) => ({ screenName: `together${item}` })));
  assert.equal(
    asked.map((names) => names.length),
    [10],
  );
});

Batches("get the same reply from the fast path as from the router, without a call", async () => {
  const items = [
    { screenName: "ann", take: 1 },
    { screenName: "bea", take: 2 },
    { screenName: "ann", take: 1 },
  ];
  for (const headers of [{}, { origin: "https://a.example", "accept-encoding": "gzip" }]) {
    const first = await post(items, headers, "/json/reply/SocialTimelines[]?more=1");
    assert.equal(textsOf(first), ["of ann", "of bea", "of ann"]);
    assert.is(first.headers["x-autobatch-completed"], "3");
    await post(items, headers);
    const calls = gateway.calls.length;
    assert.equal(seen(await post(items, headers)), seen(first));
    assert.ok(await wasFast(gateway));
    assert.is(gateway.calls.length, calls);
  }
});

Batches("of equal bodies under other queries have replies of their own", async () => {
  const items = [{ screenName: "kim" }, { screenName: "lea" }];
  const ask = async (take: number) => {
    const { text } = await post(items, {}, `/json/reply/SocialTimelines[]?take=${take}`);
    return (JSON.parse(text) as { results: { id: number }[] }[]).map(({ results }) => results[0]?.id);
  };
  for (let round = 0; round < 4; round++) {
    for (const take of [1, 2]) assert.equal(await ask(take), [take, take], `round ${round}`);
  }
  assert.ok(await wasFast(gateway));
});

Batches("show a state that is newer than their last reply", async () => {
  const items = [
    { screenName: "cay", take: 1 },
    { screenName: "dee", take: 1 },
  ];
  await post(items);
  const before = await post(items);
  assert.ok(await wasFast(gateway));
  states.set("dee", "dee.2");
  const after = await post(items);
  assert.not(await wasFast(gateway));
  assert.is.not(after.headers.etag, before.headers.etag);
  assert.equal(seen(await post(items)), seen(after));
  assert.ok(await wasFast(gateway));
});

Batches("fail with the error of the first item that fails, and count the items before it", async () => {
  const items = [{ screenName: "eve" }, { screenName: "gone" }, { screenName: "fay" }];
  for (let round = 0; round < 3; round++) {
    const reply = await post(items);
    assert.equal([reply.status, reply.headers["x-autobatch-completed"]], [404, "1"]);
  }
});

Batches("ask for tokens once where the fast path could not read them", async () => {
  const items = [{ screenName: "ira" }];
  for (let round = 0; round < 2; round++) await post(items);
  assert.ok(await wasFast(gateway));
  const { listTokens } = gateway.answers;
  let failed = 0;
  gateway.answers.listTokens = () => {
    failed++;
    throw new ConnectError("away", Code.Unavailable);
  };
  assert.equal([(await post(items)).status, failed], [503, 1]);
  gateway.answers.listTokens = listTokens;
});

Batches("fail with the rule that their first item breaks, also where no tokens can be read", async () => {
  const { listTokens } = gateway.answers;
  gateway.answers.listTokens = () => {
    throw new ConnectError("away", Code.Unavailable);
  };
  const reply = await post([{ screenName: "jay", take: 0 }, { screenName: "kit" }]);
  assert.equal([reply.status, reply.headers["x-autobatch-completed"]], [400, "0"]);
  gateway.answers.listTokens = listTokens;
});

Batches("have another entity tag for other requests, and are answered separately at other paths", async () => {
  const [some, more] = [[{ screenName: "gil", take: 1 }], [{ screenName: "gil", take: 2 }]];
  for (let round = 0; round < 2; round++) {
    assert.is.not((await post(some)).headers.etag, (await post(more)).headers.etag);
  }
  assert.is((await post(some, {}, "/json/oneway/SocialTimelines[]")).status, 204);
  assert.is((await post(some, {}, "/json/oneway/SocialTimelines[]")).status, 204);
});

Batches("of signed-in callers are answered with the caller as viewer", async () => {
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "known" ? { userId: 5n } : {});
  const items = [{ screenName: "hal" }];
  for (let round = 0; round < 2; round++) await post(items);
  const reply = await post(items, { authorization: "Bearer known" });
  assert.equal([reply.status, reply.headers["cache-control"]], [200, "private, no-cache"]);
  assert.is(gateway.calls.at(-1)?.header.get("roost-viewer"), "5");
});

Batches("do not wait for the items of other batches where their pages are local", async () => {
  const known = Array.from({ length: 40 }, (_, item) => ({ screenName: `known_before_${item}`, take: 1 }));
  const first = await post(known);
  const answer = gateway.answers.socialTimelines;
  let release = () => {};
  const stopped = new Promise<void>((resolve) => (release = resolve));
  gateway.answers.socialTimelines = async (request, context) => {
    await stopped;
    return answer(request, context);
  };
  const slow = post(Array.from({ length: 40 }, (_, item) => ({ screenName: `slow_one_${item}`, take: 1 })));
  await eventually("16 items under way", async () => gateway.calls.length === 40 + 16);
  const again = await post(known);
  assert.not(await wasFast(gateway), "its body is too long for the fast path");
  assert.equal(seen(again), seen(first));
  release();
  assert.is((await slow).status, 200);
  gateway.answers.socialTimelines = answer;
});

Batches("get those pages for anonymous callers only, and load the others in their order", async () => {
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "known" ? { userId: 5n } : {});
  const items = Array.from({ length: 40 }, (_, item) => ({ screenName: `ordered_name_${item}`, take: 1 }));
  await post(items.filter((_, index) => index % 3 > 0));
  const reply = await post(items);
  assert.equal(
    textsOf(reply),
    items.map(({ screenName }) => `of ${screenName}`),
  );
  await post(items, { authorization: "Bearer known" });
  assert.is(gateway.calls.at(-1)?.header.get("roost-viewer"), "5");
});

Batches("have one deadline, also where the fast path waited for tokens before a page was missing", async () => {
  const [{ listTokens, socialTimelines }, { serviceTimeoutMs }] = [{ ...gateway.answers }, loadConfig({})];
  const items = [{ screenName: "dee" }, { screenName: "eve" }];
  await post(items);
  assert.ok((await post(items)) && (await wasFast(gateway)));
  states.set("eve", "eve.2");
  gateway.answers.listTokens = async (request, context) => {
    gateway.answers.listTokens = listTokens;
    await sleep(300);
    return listTokens(request, context);
  };
  let leftMs: number | undefined;
  gateway.answers.socialTimelines = (request, context) => {
    leftMs = context.timeoutMs();
    return socialTimelines(request, context);
  };
  assert.is((await post(items)).status, 200);
  assert.ok(leftMs !== undefined && leftMs <= serviceTimeoutMs - 290, `${leftMs} ms are left`);
  gateway.answers.socialTimelines = socialTimelines;
});

Batches("count items with the same page once, and are refused where different pages take too much memory", async () => {
  const answer = gateway.answers.socialTimelines;
  const text = "x".repeat(Math.ceil(maxBytesOfBatches / 80));
  gateway.answers.socialTimelines = ({ screenName }) => ({ results: [{ text }], freshness: stateOf(screenName) });
  const statusOf = async (names: string[]) => (await post(names.map((screenName) => ({ screenName })))).status;
  assert.is(await statusOf(Array.from({ length: 90 }, () => "large")), 200);
  assert.is(await statusOf(Array.from({ length: 90 }, (_, item) => `large_${item}`)), 503);
  gateway.answers.socialTimelines = answer;
});

Batches("of lookups get the same reply from the fast path", async () => {
  gateway.answers.socialUsers = ({ screenNames }) => ({
    results: screenNames.map((screenName) => ({ screenName, freshness: stateOf(screenName) })),
  });
  const items = [{ screenNames: ["ann", "bea"] }, { screenNames: ["cay"] }];
  const ask = () => post(items, {}, "/json/reply/SocialUsers[]");
  const first = await ask();
  assert.match(first.text, /"screen_name":"ann".*"screen_name":"bea".*\]\},\{"results":\[.*"screen_name":"cay"/);
  assert.equal(seen(await ask()), seen(first));
  assert.ok(await wasFast(gateway));
});

Batches("run so many lookups at once that they have at most a thousand names together", async () => {
  gateway.answers.socialUsers = () => ({ results: [] });
  const items = Array.from({ length: 10 }, (_, item) => ({
    screenNames: Array.from({ length: 300 }, (_unused, name) => `name_${item}_${name}`),
  }));
  assert.is((await post(items, {}, "/json/reply/SocialUsers[]")).status, 200);
  const names = asked.map(({ length }) => length);
  assert.is(Math.max(...names), 900);
});

Batches.run();
