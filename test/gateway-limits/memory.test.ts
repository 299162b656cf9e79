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
import { type Asked, startFakeGateway } from "../gateway/fake-gateway.ts";
import { exchangeRaw } from "../gateway/raw-socket.ts";
import { eventually } from "../support/eventually.ts";
import { sendHttp } from "../support/http.ts";
import { launchProcess } from "../support/launch-process.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import {
  leaveBodiesOut,
  leaveHeadsUnfinished,
  leaveUploadsUnfinished,
  pipelineBatches,
  sendBatches,
  sendBehindSlow,
  sendOneByteChunks,
  usedMemory,
  waitForLists,
} from "./attacks.ts";

const Memory = suite("gateway memory");

let small: SmallGateway;
Memory.before(async () => {
  // On a busy machine the deadline would end batches before they exceed the budget.
  small = await startSmallGateway({ SERVICE_TIMEOUT_MS: "60000" });
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

/** MiB in use after a garbage collection. */
const collect = (kind: Parameters<typeof usedMemory>[0]) => usedMemory(kind) / 2 ** 20;

const longHead = Object.fromEntries(Array.from({ length: 1_900 }, (_, line) => [`x${line}`, "y".repeat(20)]));
const longBody = `{"take":1${" ".repeat(2 ** 20 - 40)}}`;
/** On as many connections: with bodies few enough for the budget. */
const idle = [
  ["head", 50, "heapUsed", { headers: longHead }],
  ["body", 10, "arrayBuffers", { method: "POST", body: longBody }],
] as const;
for (const [what, connections, kind, asked] of idle) {
  Memory(`keeps no ${what} of an answered request in memory while its connection is idle`, async () => {
    const gateway = await startFakeGateway();
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    try {
      const before = collect(kind);
      const send = () => sendHttp(gateway.url, { ...asked, path: "/social/ann/timelines", agent });
      // At the same time, so that each has a connection of its own.
      for (let turn = 0; turn < 2; turn++) {
        const replies = await Promise.all(Array.from({ length: connections }, send));
        assert.ok(replies.every(({ status }) => status === 200));
      }
      await eventually(`the ${what} is let go`, async () => collect(kind) - before < 5);
    } finally {
      agent.destroy();
      await gateway.stop();
    }
  });
}

Memory("answers 503 when bodies under way exceed the budget together, and accepts them again later", async () => {
  const gateway = await startFakeGateway();
  const replies = await leaveUploadsUnfinished(gateway.port, 40, 4_000);
  assert.ok((replies[503] ?? 0) > 0, JSON.stringify(replies));
  assert.equal(Object.keys(replies).sort(), ["0", "503"]);
  const reply = await gateway.send({ method: "POST", path: "/social/a", body: " ".repeat(1_000_000) });
  assert.is(reply.status, 200);
  await gateway.stop();
});

Memory("refuses a body of very many chunks", async () => {
  const gateway = await startFakeGateway();
  const head = "POST /social/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  const [reply] = await exchangeRaw(gateway.port, head + "1\r\n \r\n".repeat(70_000));
  assert.is(reply?.status, 413);
  assert.match(reply?.body ?? "", '"errorCode":"RequestTooLarge"');
  const [taken] = await exchangeRaw(gateway.port, `${head}${"1\r\n \r\n".repeat(60_000)}0\r\n\r\n`);
  assert.is(taken?.status, 200);
  await gateway.stop();
});

/** Newer Nodes take some 30 MB more for themselves, and collect buffers later. */
const mostMb = Number.parseInt(process.versions.node) < 22 ? 400 : 480;

Memory(`stays below ${mostMb} MB with a heap of 256 MiB under uploads, tiny chunks, batches and headers`, async () => {
  const before = small.peakMemory();
  await leaveUploadsUnfinished(small.port, 400, 5_000);
  await sendOneByteChunks(small.port, 3);
  const batches = await sendBatches(small.url, 12);
  await leaveHeadsUnfinished(small.port, 800, 2_000);
  await leaveBodiesOut(small.port, 600, 2_000);
  await sendBehindSlow(small.port, 2, 2_000);
  await waitForLists(small.port, 1_500, 2_000);
  await pipelineBatches(small.port, 4_000, 2_000);
  // How many find room depends on how fast the others end.
  const wrong = Object.keys(batches).filter((status) => status !== "200" && status !== "503");
  assert.equal(wrong, []);
  assert.ok(small.isAlive());
  assert.is((await fetch(`${small.url}/livez`)).status, 200);
  // Not every system has /proc.
  if (before !== undefined) assert.ok((small.peakMemory() as number) < mostMb, `${small.peakMemory()} MB`);
});

Memory.run();

/** A gateway as it is deployed, with a heap of 256 MiB, and a social service that has long timelines. */
interface SmallGateway {
  url: string;
  port: number;
  /** The largest resident memory so far, in MB; undefined without /proc. */
  peakMemory(): number | undefined;
  isAlive(): boolean;
  stop(): Promise<void>;
}

async function startSmallGateway(settings: NodeJS.ProcessEnv = {}): Promise<SmallGateway> {
  const services = http.createServer(
    connectNodeAdapter({ routes: (router) => addRoutesWithReads(router, longTimelines, []) }),
  );
  const address = `http://127.0.0.1:${await listen(services)}`;
  const gateway = await launchProcess("gateway", {
    ...processLimits,
    ACCOUNT_URL: address,
    SOCIAL_URL: address,
    ...settings,
  });
  killAtExit(() => gateway.signal("SIGKILL"));
  return {
    url: gateway.url,
    port: Number(new URL(gateway.url).port),
    peakMemory: () => peakMemory(gateway.pid),
    isAlive: () => gateway.exitCode() === undefined,
    async stop() {
      await gateway.kill();
      services.closeAllConnections();
      services.close();
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
const json = { "content-type": "application/json" };

/** A POST whose fields are followed by what nothing uses. */
const post = (path: string, fields: string, headers = {}): Asked => {
  const body = path.endsWith("[]") ? `[{${fields}${" ".repeat(unused)}}]` : `{${fields}${" ".repeat(unused)}}`;
  return { path: `/json/reply/${path}`, method: "POST", headers: { ...json, ...headers }, body };
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
