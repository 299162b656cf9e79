import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { openWork } from "../support/open-work.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, type Reply, seen, startFakeGateway, useFakeGateway, wasFast } from "./fake-gateway.ts";

const Reads = suite("gateway reads of what is cached");
const gateway = useFakeGateway(Reads, { pageCacheBytes: 16 * 1024 * 1024, redisUrls: [] });

/** The versions of authors by name, of viewers by id; NAME.1 for the others. */
const versions = new Map<string, string>();
/** The relations of viewers, by viewer id, to the user 1. */
const relations = new Map<string, string>();
/** The subjects of each call for versions. */
const asked: string[][] = [];
let unlisted = false;

Reads.before.each(() => {
  for (const map of [versions, relations]) map.clear();
  asked.length = 0;
  unlisted = false;
  Object.assign(gateway.answers, answers);
});

const versionOf = (subject: string) => versions.get(subject) ?? `${subject}.1`;

const answers: Partial<FakeGateway["answers"]> = {
  getSession: ({ sessionId }) => (sessionId.startsWith("of") ? { userId: BigInt(sessionId.slice(2)) } : {}),
  listVersions: ({ screenNames, viewerIds }) => {
    asked.push([...screenNames, ...viewerIds.map((id) => `viewer ${id}`)]);
    return {
      versions: screenNames.map(versionOf),
      viewerVersions: viewerIds.map((id) => versionOf(`viewer ${id}`)),
    };
  },
  listRelationDigests: ({ viewerId }) => ({
    viewerVersion: unlisted ? "" : versionOf(`viewer ${viewerId}`),
    digests: relations.has(`${viewerId}`) ? [{ userId: 1n, digest: relations.get(`${viewerId}`) as string }] : [],
  }),
  socialTimelines: ({ screenName, take = 0n }, { requestHeader, responseHeader }) => {
    if (versions.get(screenName) === "unknown") throw new ConnectError("no such user", Code.NotFound);
    const viewer = requestHeader.get("roost-viewer");
    if (viewer !== null) {
      responseHeader.set("roost-viewer-version", versionOf(`viewer ${viewer}`));
      if (!unlisted) responseHeader.set("roost-shown-users", "1");
    }
    const by = viewer === null ? "" : `, ${relations.get(viewer) ?? "no"} relations`;
    return { results: [{ id: take, text: `${versionOf(screenName)}${by}` }], version: versionOf(screenName) };
  },
  socialUsers: ({ screenNames }) => ({
    results: screenNames.map((name) => ({ screenName: name, name: versionOf(name), version: versionOf(name) })),
  }),
};

const get = (path: string, headers = {}) => gateway.send({ path, headers });
const timeline = (name: string, headers = {}) => get(`/social/${name}/timelines`, headers);
const as = (id: number) => ({ authorization: `Bearer of${id}` });
/** Resolves when the gateway has read all requests that were sent before: it has answered later ones. */
const caughtUp = async () => {
  for (let round = 0; round < 2; round++) await get("/livez");
};
const textOf = ({ text }: Reply) => /"text":"([^"]*)"/.exec(text)?.[1];

Reads("ask for versions each time, and for a page once for each version", async () => {
  const paths = ["/social/ann/timelines", "/social/ANN/timelines?x=1", "/json/reply/SocialTimelines?screenName=ann"];
  for (const path of [...paths, ...paths, ...paths]) assert.is(textOf(await get(path)), "ann.1");
  assert.is(asked.length, 9);
  assert.is(gateway.calls.length, 1);
  versions.set("ann", "ann.2");
  assert.is(textOf(await timeline("ann")), "ann.2");
  assert.is(gateway.calls.length, 2);
});

Reads("ask for the versions of concurrent requests together", async () => {
  const held = openWork();
  gateway.answers.listVersions = async (...call) => {
    await held.work();
    return (answers.listVersions as FakeGateway["answers"]["listVersions"])(...call);
  };
  const names = Array.from({ length: 20 }, (_, index) => `bea${index % 4}`);
  const start = performance.now();
  const replies = names.map((name) => timeline(name));
  await caughtUp();
  // A call counts as stalled after 100 ms; then there is one call more.
  const stalled = Math.floor((performance.now() - start) / 100);
  held.end();
  await Promise.all(replies);
  assert.ok(asked.length <= 4 + stalled, `${asked.length} calls, ${stalled} stalled`);
  assert.ok(asked.every((subjects) => new Set(subjects).size === subjects.length));
});

Reads("join no call for versions that began earlier", async () => {
  await timeline("cay");
  const held = openWork();
  gateway.answers.listVersions = async ({ screenNames }) => {
    const answer = { versions: screenNames.map(versionOf) };
    await held.work();
    return answer;
  };
  const early = timeline("cay");
  await caughtUp();
  versions.set("cay", "cay.2");
  const late = timeline("cay");
  await caughtUp();
  held.end();
  assert.is(textOf(await early), "cay.1");
  assert.is(textOf(await late), "cay.2");
});

Reads("store a page under the version of its snapshot, not under the one that was asked for", async () => {
  gateway.answers.listVersions = ({ screenNames }) => {
    const answer = { versions: screenNames.map(versionOf) };
    versions.set("dee", "dee.2");
    return answer;
  };
  assert.is(textOf(await timeline("dee")), "dee.2");
  assert.is(textOf(await timeline("dee")), "dee.2");
  assert.is(gateway.calls.length, 1);
  gateway.answers.listVersions = () => ({ versions: ["dee.1"] });
  await timeline("dee");
  assert.is(gateway.calls.length, 2, "nothing is stored under dee.1");
});

Reads("get the same reply without the router, in each form", async () => {
  const wide = { "accept-encoding": "gzip", origin: "https://a.example" };
  for (const [index, headers] of [{}, wide, as(3)].entries()) {
    const first = await get(`/social/eve/timelines?x=${index}`, headers);
    assert.not(await wasFast(gateway));
    await get("/social/eve/timelines", headers);
    assert.equal(seen(await get("/social/eve/timelines", headers)), seen(first));
    assert.ok(await wasFast(gateway));
    const etag = first.headers.etag as string;
    const known = await get("/social/eve/timelines", { ...headers, "if-none-match": etag });
    assert.equal([known.status, known.text, known.headers.etag], [304, "", etag]);
  }
  const script = await get("/social/eve/timelines?callback=f&_=1");
  assert.ok(await wasFast(gateway));
  assert.is(script.text, `f(${(await timeline("eve")).text})`);
});

Reads("remember that nobody has a name, until somebody has", async () => {
  versions.set("fay", "unknown");
  for (let round = 0; round < 3; round++) {
    assert.is((await timeline("fay")).status, 404);
    assert.match((await get("/social/fay/timelines?callback=f")).text, /^f\(\{"responseStatus"/);
    assert.is((await timeline("fay", as(3))).status, 404);
  }
  assert.is(gateway.calls.length, 1);
  versions.delete("fay");
  assert.is(textOf(await timeline("fay")), "fay.1");
  versions.set("fay", "unknown");
  assert.is((await timeline("fay")).status, 404);
});

Reads("load a lookup of several users in one call with others, each user once", async () => {
  const lookup = (names: string) => get(`/social/${names}`);
  const [first, second] = await Promise.all([lookup("gil,hal"), lookup("hal,ida")]);
  assert.match(first?.text as string, '"name":"gil.1"');
  assert.match(second?.text as string, '"name":"ida.1"');
  assert.equal(gateway.asked("screenNames"), [["gil", "hal", "ida"]]);
  const [again] = await Promise.all([lookup("GIL,hal"), lookup("hal,ida")]);
  assert.equal(seen(again as Reply), seen(first as Reply));
  assert.is(gateway.calls.length, 1);
  versions.set("hal", "hal.2");
  assert.match((await lookup("gil,hal")).text, '"name":"hal.2"');
});

Reads("share a page between viewers with the same relations to the users in it", async () => {
  relations.set("7", "muted");
  for (let round = 0; round < 2; round++) {
    for (const id of [5, 6]) assert.is(textOf(await timeline("jan", as(id))), "jan.1, no relations");
    assert.is(textOf(await timeline("jan", as(7))), "jan.1, muted relations");
    assert.is(textOf(await timeline("jan")), "jan.1");
  }
  assert.is(gateway.calls.length, 3);
  const reply = await timeline("jan", as(7));
  assert.is(reply.headers["cache-control"], "private, no-cache");
  relations.set("7", "blocked");
  versions.set("viewer 7", "viewer 7.2");
  assert.is(textOf(await timeline("jan", as(7))), "jan.1, blocked relations");
});

Reads("share no refusal between viewers", async () => {
  const { socialTimelines } = gateway.answers;
  gateway.answers.socialTimelines = async (request, context) => {
    // So that the others come while the first one is loaded.
    await sleep(50);
    if (context.requestHeader.get("roost-viewer") === "21") throw new ConnectError("not for you", Code.NotFound);
    return socialTimelines(request, context);
  };
  relations.set("21", "blocked");
  const replies = await Promise.all([21, 22, 21, 23].map((id) => timeline("lyn", as(id))));
  assert.equal(valuesOf(replies, "status"), [404, 200, 404, 200]);
});

Reads("load the pages of a viewer's batch in one call, and each alone that is refused there", async () => {
  const groups: number[] = [];
  gateway.answers.readsAsked = (count) => void groups.push(count);
  let refusals = 0;
  const { socialTimelines } = gateway.answers;
  gateway.answers.socialTimelines = (request, context) => {
    if (request.screenName === "lou" && refusals++ === 0) throw new ConnectError("not now", Code.Aborted);
    return socialTimelines(request, context);
  };
  const items = ["lia", "lou", "len"].map((screenName) => ({ screenName }));
  const texts = ["lia", "lou", "len"].map((name) => `${name}.1, no relations`);
  for (const id of [17, 17, 18]) {
    // The last viewer has the same relations to the users in the pages.
    assert.equal(textsOf(await postBatch(items, as(id))), texts);
    assert.equal(groups, [3]);
    assert.is(gateway.calls.length, 4);
  }
});

Reads("store a page with unlisted users for one version of one viewer", async () => {
  unlisted = true;
  for (let round = 0; round < 2; round++) for (const id of [15, 16]) await timeline("lea", as(id));
  assert.is(gateway.calls.length, 2);
  versions.set("viewer 15", "viewer 15.2");
  await timeline("lea", as(15));
  assert.is(gateway.calls.length, 3);
});

Reads("of a batch ask for all versions together, and reply as single requests do", async () => {
  const items = ["ned", "ora", "ned"].map((screenName) => ({ screenName, take: 1 }));
  for (const headers of [{}, as(9)]) {
    asked.length = 0;
    const reply = await postBatch(items, headers);
    assert.is(asked.length, 1);
    const single = await gateway.send({ path: "/social/ora/timelines?take=1", headers });
    assert.is(textsOf(reply)[1], textOf(single));
  }
  versions.set("ora", "unknown");
  const refused = await postBatch(items);
  assert.equal([refused.status, refused.headers["x-autobatch-completed"]], [404, "1"]);
});

Reads("ask again only after REUSE_VERSIONS_MS where that is set", async () => {
  const reusing = await startFakeGateway({ pageCacheBytes: 1024 * 1024, redisUrls: [], reuseVersionsMs: 200 });
  Object.assign(reusing.answers, answers);
  const read = async (headers = {}) => textOf(await reusing.send({ path: "/social/quy/timelines", headers }));
  assert.is(await read(), "quy.1");
  assert.is(await read(as(4)), "quy.1, no relations");
  versions.set("quy", "quy.2");
  assert.is(await read(), "quy.1");
  await sleep(220);
  assert.is(await read(), "quy.2");
  assert.is(await read(as(4)), "quy.2, no relations");
  await reusing.stop();
});

Reads.run();

/** Posts a batch of timelines. */
function postBatch(items: unknown, headers = {}): Promise<Reply> {
  const path = "/json/reply/SocialTimelines[]";
  return gateway.send({ method: "POST", path, headers, body: JSON.stringify(items) });
}

/** The text of each timeline's newest status in the reply. */
function textsOf({ text }: Reply): (string | undefined)[] {
  return (JSON.parse(text) as { results: { text: string }[] }[]).map(({ results }) => results[0]?.text);
}
