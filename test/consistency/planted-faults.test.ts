import { setImmediate as nextTurn } from "node:timers/promises";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { whereRedisIs } from "./check-redis.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import type { Subject } from "./facets.ts";
import { createHolds, type Holds } from "./holds.ts";
import { type Gateway, judgeAsViewer, judgeTimeline } from "./judged-reads.ts";
import { forgetVersions, type PlantedFault, plantedFaults, rememberVersions } from "./planted-faults.ts";
import { startHere } from "./processes.ts";
import { type Encoding, endReads } from "./read.ts";
import { createJudge, type Judge, newVerdict, type Verdict } from "./verdict.ts";
import type { Viewer } from "./viewer.ts";
import { createWriter, type Writer } from "./writer.ts";

// Each fault makes the cache stale. Here the order of events in which it shows is forced; the long form finds them by chance as well.
const Planted = suite("the consistency checker");
const test = await whereRedisIs(Planted);

const holds = createHolds();
let fault: PlantedFault | undefined;
let cluster: Cluster;
let writer: Writer;
let users: Subject[];
let viewers: Viewer[];

Planted.before(async () => {
  if (test !== Planted) return;
  cluster = await startCluster({ start: startHere(() => fault, holds), redisTimeoutMs: 5_000 });
  writer = createWriter(cluster);
  users = await writer.create(2 * plantedFaults.length + 1);
  viewers = await writer.createViewers(4 * plantedFaults.length);
});
Planted.after(async () => {
  writer?.close();
  endReads();
  await cluster?.stop();
});

/** Runs the order of events in which the fault `wanted` shows, with a planted fault or without. */
async function play(wanted: PlantedFault, planted?: PlantedFault): Promise<Verdict> {
  const user = users.pop() as Subject;
  const verdict = newVerdict();
  const judge = createJudge(verdict);
  const [viewer, stranger] = [viewers.pop() as Viewer, viewers.pop() as Viewer];
  fault = planted;
  const isForgetting = planted === "forget to raise a version";
  if (isForgetting) await cluster.query(forgetVersions);
  try {
    const change = writer.changes(user).description;
    const changeWatched = writer.changes(viewer.open).description;
    await interleavings[wanted]({ cluster, holds, judge, user, change, viewer, stranger, changeWatched });
  } finally {
    fault = undefined;
    for (const hold of [holds.answers, holds.loads]) await hold.release();
    if (isForgetting) await cluster.query(rememberVersions);
  }
  judge.settle();
  return verdict;
}

for (const planted of plantedFaults) {
  test(`detects a cache that is made to ${planted}`, async () => {
    const sound = await play(planted);
    assert.equal([sound.stale, sound.nonMonotonic], [[], []], "without a fault");
    const faulty = await play(planted, planted);
    assert.ok(faulty.stale.length > 0, "a stale read with the fault");
  });
}

Planted.run();

/** What an order of events needs: a user whom no other test changes. */
interface Scene {
  cluster: Cluster;
  holds: Holds;
  judge: Judge;
  user: Subject;
  /** Changes the user's description, by two writers. */
  change(): Promise<void>;
  viewer: Viewer;
  /** Changes the public user whom viewers read, so that nothing is stored for them. */
  changeWatched(): Promise<void>;
  /** Another viewer, with no relation to the users whom `viewer` reads. */
  stranger: Viewer;
}

/** For each fault one order of events in which it causes a stale read. A sound system has none in any of them. */
const interleavings: Record<PlantedFault, (scene: Scene) => Promise<void>> = {
  async "join a call that began earlier"(scene) {
    const { holds, change } = scene;
    await readAll(scene);
    holds.answers.hold();
    const before = read(scene);
    await eventually("the answer to a read that asks", async () => holds.answers.waiting > 0);
    await change();
    const { asked } = holds;
    const after = read(scene);
    await eventually("another read that asks", async () => holds.asked > asked);
    await holds.answers.release();
    await Promise.all([before, after]);
  },

  async "store a page under the versions that were asked for"(scene) {
    const { cluster, holds, viewer, stranger, changeWatched } = scene;
    await changeWatched();
    const [gateway] = gatewaysOf(cluster) as [Gateway];
    const look = (one: Viewer, encoding: Encoding = "identity") =>
      judgeAsViewer(scene.judge, { ...gateway, encoding }, { viewer: one, watched: one.open, by: "timeline" });
    // In another encoding: then the gateway knows which users the page shows, and has to load it all the same.
    await look(stranger, "gzip");
    holds.loads.hold();
    const early = look(viewer);
    await eventually("a load", async () => holds.loads.waiting > 0);
    await viewer.changes.mark();
    await holds.loads.release();
    await early;
    await look(stranger);
    await viewer.changes.mark();
    await look(viewer);
  },

  async "remember a session for too long"({ cluster, judge, viewer }) {
    const session = viewer.session();
    // At all gateways at once: the viewer signs in again as soon as both writers are answered.
    const reading = { viewer, watched: viewer.open, by: "lookup", session } as const;
    const look = () => Promise.all(gatewaysOf(cluster).map((gateway) => judgeAsViewer(judge, gateway, reading)));
    await look();
    const { session: history } = viewer.own.histories;
    const before = history.acknowledged;
    const changing = viewer.changes.session();
    while (history.acknowledged === before) await nextTurn();
    await look();
    await changing;
  },

  async "reuse the relations of an older version"({ cluster, judge, viewer }) {
    const reading = { viewer, watched: viewer.open, by: "lookup" } as const;
    const look = () => eachOf(cluster, (gateway) => judgeAsViewer(judge, gateway, reading));
    // The first round makes the replies, the second reads them from the cache.
    for (let round = 0; round < 2; round++) await look();
    await viewer.changes.mark();
    await look();
  },

  async "forget to raise a version"(scene) {
    await readAll(scene);
    await scene.change();
    await readAll(scene);
  },
};

function read({ cluster, judge, user }: Scene): Promise<void> {
  return judgeTimeline(judge, gatewaysOf(cluster)[0] as Gateway, user);
}

function readAll({ cluster, judge, user }: Scene): Promise<void> {
  return eachOf(cluster, (gateway) => judgeTimeline(judge, gateway, user));
}

async function eachOf(cluster: Cluster, work: (gateway: Gateway) => Promise<void>): Promise<void> {
  for (const gateway of gatewaysOf(cluster)) await work(gateway);
}

/** In one encoding, since each encoding of a page is cached apart: a read in another one would load the page and show no old state. */
function gatewaysOf({ gateways }: Cluster): Gateway[] {
  return gateways.map(({ name, url }) => ({ name, url, encoding: "identity" }));
}
