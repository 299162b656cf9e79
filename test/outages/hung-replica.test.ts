import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { launch } from "../support/launch.ts";
import { registerSignedIn } from "../support/people.ts";
import { type RoundRobin, startRoundRobin } from "../support/round-robin.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Hung = suite("one of two social services that hangs");
const timeoutMs = 2_000;
/** Milliseconds after the timeout: the promised half second, and more for a busy machine. */
const marginMs = 1_000;
/** Milliseconds in which the event loop ran: while this process is paused nothing counts as late. */
let uptime = 0;
const tickMs = 20;

let services: TestServices;
let replicas: [FaultProxy, FaultProxy];
let balancer: RoundRobin | undefined;
let gateway: Running | undefined;
let session: string;
let page = 0;

let ticks: NodeJS.Timeout;
Hung.before(async () => {
  ticks = setInterval(() => (uptime += tickMs), tickMs);
  services = await startTestServices();
  const port = Number(new URL(services.socialUrl).port);
  replicas = [await startFaultProxy(port), await startFaultProxy(port)];
  ({ sessionId: session } = await registerSignedIn(services, "ann"));
});
Hung.before.each(() => useBalancer(replicas));
Hung.after.each(async () => {
  await stopGateway();
  for (const replica of replicas) replica.heal();
});
Hung.after(async () => {
  for (const replica of replicas) await replica.close();
  await services.stop();
  clearInterval(ticks);
});

/** Starts a gateway whose connections to the social service go to these in turns. */
async function useBalancer(targets: readonly FaultProxy[]): Promise<void> {
  await stopGateway();
  balancer = await startRoundRobin(targets.map((target) => target.port));
  const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: balancer.url };
  gateway = await launch("gateway", { ...env, SERVICE_TIMEOUT_MS: `${timeoutMs}` }, services);
}

async function stopGateway(): Promise<void> {
  await gateway?.close();
  await balancer?.stop();
  gateway = undefined;
}

/** A page that is not cached. */
const newPage = () => ({ screenName: "ann", take: 1, maxId: `${++page}` });
const pagePath = () => `/social/ann/timelines?take=1&maxId=${++page}`;
const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });
const authorization = () => `Bearer ${session}`;

const reads: Record<string, () => [path: string, init?: RequestInit]> = {
  timeline: () => [pagePath()],
  "timeline that was read before": () => ["/social/ann/timelines"],
  lookup: () => ["/social/ann"],
  "lookup by id": () => ["/social/ids/1"],
  JSONP: () => [`${pagePath()}&callback=show`],
  POST: () => ["/json/reply/SocialTimelines", post(newPage())],
  batch: () => ["/json/reply/SocialTimelines[]", post([newPage(), newPage(), newPage()])],
  "signed in": () => [pagePath(), { headers: { authorization: authorization() } }],
};

interface Outcome {
  read: string;
  status: number;
  ms: number;
}

async function outcomeOf(read: string, [path, init]: [string, RequestInit?]): Promise<Outcome> {
  const start = uptime;
  const response = await fetch(`${gateway?.url}${path}`, init);
  const text = await response.text();
  // With JSONP the status is always 200.
  const status = text.includes('"errorCode":"Timeout"') ? 504 : response.status;
  return { read, status, ms: uptime - start };
}

function late(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.filter(({ ms }) => ms > timeoutMs + marginMs);
}

/** Two clients of each kind read, one request after the other, for this time and until so many were answered. */
async function readFor(ms: number, atLeast = 0): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const end = performance.now() + ms;
  const clients = Object.entries(reads).flatMap(([read, next]) => [0, 1].map(() => ({ read, next })));
  await Promise.all(
    clients.map(async ({ read, next }) => {
      while (performance.now() < end || outcomes.length < atLeast) {
        outcomes.push(await outcomeOf(read, next()));
        await sleep(40);
      }
    }),
  );
  return outcomes;
}

for (const read of ["timeline", "lookup", "batch"]) {
  Hung(`does not delay other requests: ${read}`, async () => {
    replicas[0].stall();
    // Only the first of the balancer's connections leads to the one that hangs.
    await useBalancer([replicas[0], ...Array.from({ length: 100 }, () => replicas[1])]);
    const first = outcomeOf(read, reads[read]!());
    // So that others do not join its call.
    await eventually("its call hangs", async () => (replicas[0] as FaultProxy).stalledBytes() > 0);
    // One that waited for it would have no time left for a call of its own.
    for (const other of ["timeline", "lookup", "POST", "batch"]) {
      const outcome = await outcomeOf(other, reads[other]!());
      assert.is(outcome.status, 200, `${other} after ${outcome.ms} ms`);
    }
    assert.is((await first).status, 504);
  });
}

Hung("delays no request for longer than the timeout, and most succeed", async () => {
  await readFor(300);
  replicas[0].stall();
  // Connections that answer are kept, so ever fewer requests meet the replica that hangs: on a busy machine after a longer time.
  const outcomes = await readFor(1.5 * timeoutMs, 200);
  assert.equal(late(outcomes), []);
  const wrong = [...new Set(outcomes.map(({ status }) => status))].filter((status) => ![200, 504].includes(status));
  assert.equal(wrong, []);
  const served = outcomes.filter(({ status }) => status === 200);
  assert.ok(served.length > outcomes.length / 2, `${served.length} of ${outcomes.length}`);
});

Hung("delays no request for longer than the timeout while the other one hangs as well", async () => {
  for (const replica of replicas) replica.stall();
  const asked: Promise<Outcome>[] = [];
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(100)) {
    asked.push(...Object.entries(reads).map(([read, next]) => outcomeOf(read, next())));
  }
  const outcomes = await Promise.all(asked);
  assert.equal(new Set(outcomes.map(({ status }) => status)), new Set([504]));
  assert.equal(late(outcomes), []);
});

Hung("ends a batch with slow items in time", async () => {
  // The call for the versions and then those for the pages take longer than a request may.
  for (const replica of replicas) replica.delay(0.7 * timeoutMs);
  const batch = Array.from({ length: 100 }, newPage);
  const outcome = await outcomeOf("batch", ["/json/reply/SocialTimelines[]", post(batch)]);
  for (const replica of replicas) replica.delay(0);
  assert.is(outcome.status, 504);
  assert.equal(late([outcome]), []);
});

Hung.run();
