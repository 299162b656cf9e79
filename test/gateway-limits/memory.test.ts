import http, { Agent } from "node:http";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import * as assert from "uvu/assert";
import { killAtExit } from "../../bench/system/kill-at-exit.ts";
import { peakMemory } from "../../bench/system/processes.ts";
import { PublicError } from "../../gateway/http/errors/public-error.ts";
import { createByteBudget } from "../../gateway/http/load/byte-budget.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import { processLimits } from "../../services/local/start-system.ts";
import { addRoutesWithReads } from "../../services/platform/connect/read-many.ts";
import { type Asked, startFakeGateway, useFakeGateway } from "../gateway/fake-gateway.ts";
import { exchangeRaw } from "../gateway/raw-socket.ts";
import { eventually } from "../support/eventually.ts";
import { sendHttp } from "../support/http.ts";
import { launchProcess } from "../support/launch-process.ts";
import { listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import {
  behindSlow,
  missingBody,
  oneByteChunks,
  pipelinedBatches,
  sendFromEach,
  unfinishedHead,
  unfinishedUpload,
  usedMemory,
  waitingList,
} from "./attacks.ts";

const Memory = suite("gateway memory");
const gateway = useFakeGateway(Memory);
let small: Awaited<ReturnType<typeof startSmallGateway>>;
Memory.before(async () => {
  small = await startSmallGateway();
});
Memory.after(() => small.stop());

const isOverloaded = (error: unknown) => error instanceof PublicError && error.status === 503;

Memory("reserves the last quarter of a budget for small requests", () => {
  const shed = { value: 0 };
  const budget = createByteBudget({ max: 100, small: 10 }, shed);
  const [large, other, little] = [budget.open(), budget.open(), budget.open()];
  large.take(75);
  assert.throws(() => other.take(11), isOverloaded);
  little.take(10);
  assert.equal([budget.held(), shed.value], [85, 1]);
  large.release();
  large.take(50);
  assert.is(budget.held(), 10);
  other.take(65);
  assert.is(budget.held(), 75);
});

Memory("refuses the youngest batches when not all fit, so that the oldest one ends", () => {
  const budget = createByteBudget({ max: 100, yields: true }, { value: 0 });
  const [first, second, third] = [budget.open(), budget.open(), budget.open()];
  for (const share of [first, second, third]) share.take(33);
  first.take(30);
  assert.throws(() => third.take(1), isOverloaded, "the youngest has lost its share");
  first.take(30);
  assert.throws(() => second.take(1), isOverloaded);
  assert.is(budget.held(), 93);
  first.protect();
  const fourth = budget.open();
  assert.throws(() => fourth.take(8), isOverloaded);
});

const longHead = Object.fromEntries(Array.from({ length: 1_900 }, (_, line) => [`x${line}`, "y".repeat(20)]));
const longBody = `{"take":1${" ".repeat(2 ** 20 - 40)}}`;
/** On as many connections: with bodies few enough for the budget. */
const idle = [
  ["head", 50, "heapUsed", { headers: longHead }],
  ["body", 10, "arrayBuffers", { method: "POST", body: longBody }],
] as const;
for (const [what, connections, kind, asked] of idle) {
  Memory(`keeps no ${what} of an answered request in memory while its connection is idle`, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const before = usedMemory(kind);
    const send = () => sendHttp(gateway.url, { ...asked, path: "/social/ann/timelines", agent });
    // At the same time, so that each has a connection of its own.
    for (let turn = 0; turn < 2; turn++) {
      const replies = await Promise.all(Array.from({ length: connections }, send));
      assert.ok(replies.every(({ status }) => status === 200));
    }
    await eventually(`the ${what} is let go`, async () => usedMemory(kind) - before < 5_000_000);
    agent.destroy();
  });
}

Memory("answers 503 when bodies under way exceed the budget together, and accepts them again later", async () => {
  assert.equal(new Set(await sendFromEach(gateway.port, 40, unfinishedUpload, 4_000)), new Set([0, 503]));
  const reply = await gateway.send({ method: "POST", path: "/social/a", body: " ".repeat(1_000_000) });
  assert.is(reply.status, 200);
});

Memory("refuses a body of very many chunks", async () => {
  const head = "POST /social/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  const [reply] = await exchangeRaw(gateway.port, head + "1\r\n \r\n".repeat(70_000));
  assert.is(reply?.status, 413);
  assert.match(reply?.body ?? "", '"errorCode":"RequestTooLarge"');
  const [taken] = await exchangeRaw(gateway.port, `${head}${"1\r\n \r\n".repeat(60_000)}0\r\n\r\n`);
  assert.is(taken?.status, 200);
});

/** Newer Nodes take some 30 MB more for themselves, and collect buffers later. */
const mostMb = Number.parseInt(process.versions.node) < 22 ? 400 : 480;

Memory(`stays below ${mostMb} MB with a heap of 256 MiB under uploads, tiny chunks, batches and headers`, async () => {
  const before = small.peakMemory();
  await sendFromEach(small.port, 400, unfinishedUpload, 5_000);
  await sendFromEach(small.port, 3, oneByteChunks);
  const batches = await Promise.all(Array.from({ length: 12 }, (_, client) => sendBatch(`ann${client}`)));
  await sendFromEach(small.port, 800, unfinishedHead, 2_000);
  await sendFromEach(small.port, 600, missingBody, 2_000);
  await sendFromEach(small.port, 2, behindSlow, 2_000);
  await sendFromEach(small.port, 1_500, waitingList, 2_000);
  await sendFromEach(small.port, 1, pipelinedBatches, 2_000);
  // How many find room depends on how fast the others end.
  const wrong = batches.filter((status) => status !== 200 && status !== 503);
  assert.equal(wrong, []);
  assert.ok(small.isAlive());
  assert.is((await fetch(`${small.url}/livez`)).status, 200);
  // Not every system has /proc.
  if (before !== undefined) assert.ok((small.peakMemory() as number) < mostMb, `${small.peakMemory()} MB`);
});

Memory.run();

/** Asks for 100 timelines of 200 statuses each, and gives the status of the reply; 0 when it breaks off. */
async function sendBatch(name: string): Promise<number> {
  const items = Array.from({ length: 100 }, (_, item) => ({ screenName: `${name}-${item}`, take: 200 }));
  const asked = { path: "/json/reply/SocialTimelines[]", method: "POST", body: JSON.stringify(items) };
  // An agent of its own, since the global one has a timeout.
  return sendHttp(small.url, { ...asked, agent: new Agent() }).then(
    ({ status }) => status,
    () => 0,
  );
}

/** A gateway as it is deployed, with a heap of 256 MiB, and a social service that has long timelines. */
async function startSmallGateway() {
  const services = http.createServer(
    connectNodeAdapter({ routes: (router) => addRoutesWithReads(router, longTimelines, []) }),
  );
  const address = `http://127.0.0.1:${await listen(services)}`;
  // On a busy machine the deadline would end batches before they exceed the budget.
  const settings = { ACCOUNT_URL: address, SOCIAL_URL: address, SERVICE_TIMEOUT_MS: "60000" };
  const gateway = await launchProcess("gateway", { ...processLimits, ...settings });
  killAtExit(() => gateway.signal("SIGKILL"));
  return {
    url: gateway.url,
    port: Number(new URL(gateway.url).port),
    /** The largest resident memory so far, in MB; undefined without /proc. */
    peakMemory: () => peakMemory(gateway.pid),
    isAlive: () => gateway.exitCode() === undefined,
    async stop() {
      await gateway.kill();
      await stopListening(services);
    },
  };
}

type Routes = Parameters<typeof addRoutesWithReads>[1];

/** Every user has 200 statuses of 1.7 KB as JSON, user included: a page of all of them is 340 KB. */
const longTimelines: Routes = (router) => {
  const text = "A status that is as long as most of them are not. ".repeat(24);
  const timeline = ({ screenName, take = 100n }: { screenName: string; take?: bigint }) => ({
    results: Array.from({ length: Number(take) }, (_, index) => ({ id: BigInt(1_000 - index), text })),
    author: { screenName: "ann", name: "Ann" },
    version: `${screenName}.0`,
  });
  router.service(SocialService, {
    socialTimelines: timeline,
    // Until the caller's deadline.
    socialUsers: () => new Promise(() => {}),
  });
  router.service(VersionService, {
    listVersions: ({ screenNames }) => ({ versions: screenNames.map((name) => `${name}.0`) }),
  });
};

// V8 keeps a whole text in memory for a stored part of it: what caches store of a request must be a copy.
const Retained = suite("what caches store of a request");

const requests = 150;
const unused = 45_000;

/** Bytes: all unused parts are 6.8 million, and stored calls with long URLs take at most 4. */
const maxGrown = 5_000_000;

/** More than 13 characters: V8 copies shorter parts. */
const name = (n: number) => `${n}`.padStart(15, "a");
/** A POST whose fields are followed by what nothing uses. */
const post = (path: string, fields: string, headers = {}): Asked => {
  const item = `{${fields}${" ".repeat(unused)}}`;
  return { path: `/json/reply/${path}`, method: "POST", headers, body: path.endsWith("[]") ? `[${item}]` : item };
};

const ways: Record<string, (n: number) => Asked> = {
  "a session id in a cookie": (n) => ({
    path: "/social/ann",
    headers: { cookie: `ss-id=${name(n)}; a=${"b".repeat(unused)}` },
  }),
  "a session id in a bearer token": (n) => ({
    path: "/social/ann",
    headers: { authorization: `Bearer ${" ".repeat(unused)}${name(n)}` },
  }),
  "a name in a path": (n) => ({ path: `/social/${name(n)}/timelines?a=${"b".repeat(unused)}` }),
  "a name in JSON": (n) => post("SocialTimelines", `"screenName":"${name(n)}"`),
  "a name in a batch": (n) => post("SocialTimelines[]", `"screenName":"${name(n)}"`),
  "names of a lookup": (n) => post("SocialUsers", `"screenNames":["${name(n)}"]`),
  "names of a viewer's lookup": (n) =>
    post("SocialUsers", `"screenNames":["${name(n)}","b${name(n).slice(1)}"]`, { authorization: "Bearer good" }),
  "a JSONP call": (n) => ({ path: `/social/${name(n)}/timelines?callback=f&_=${"1".repeat(unused)}` }),
};

for (const [title, way] of Object.entries(ways)) {
  Retained(`keeps no other part of it in memory: ${title}`, async () => {
    const gateway = await startFakeGateway({ pageCacheBytes: 64 * 1024 * 1024 });
    gateway.answers.getSession = ({ sessionId }) => (sessionId === "good" ? { userId: 77n } : {});
    const ask = async (n: number) => assert.is((await gateway.send(way(n))).status, 200);
    try {
      await ask(requests);
      const before = usedMemory("heapUsed");
      for (let n = 0; n < requests; n++) await ask(n);
      gateway.calls.length = 0;
      gateway.logged.length = 0;
      const grown = usedMemory("heapUsed") - before;
      assert.ok(grown < maxGrown, `${requests} requests left ${grown} bytes`);
    } finally {
      await gateway.stop();
    }
  });
}

Retained.run();
