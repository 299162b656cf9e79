import * as assert from "uvu/assert";
import { startTestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { type CheckRedis, oneRedis } from "./check-redis.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import type { Subject } from "./facets.ts";
import { createHolds } from "./holds.ts";
import { interleavings } from "./interleavings.ts";
import { forgetVersions, type PlantedFault, plantedFaults, rememberVersions } from "./planted-faults.ts";
import { startHere } from "./processes.ts";
import { endReads } from "./read.ts";
import { createJudge, newVerdict, type Verdict } from "./verdict.ts";
import type { Viewer } from "./viewer.ts";
import { createWriter, type Writer } from "./writer.ts";

// Each fault makes the cache stale. Here the order of events in which it shows is forced; the long form finds them by chance as well.
const Planted = suite("the consistency checker");
const probe = await startTestRedis();
await probe?.stop();
const test = probe ? Planted : Planted.skip;

const holds = createHolds();
let fault: PlantedFault | undefined;
let redis: CheckRedis | undefined;
let cluster: Cluster;
let writer: Writer;
let users: Subject[];
let viewers: Viewer[];

Planted.before(async () => {
  redis = await oneRedis();
  if (redis === undefined) return;
  cluster = await startCluster(
    redis,
    startHere(() => fault, holds),
    { REDIS_TIMEOUT_MS: "5000" },
  );
  writer = createWriter({
    socials: cluster.socials.map(({ url }) => url),
    accounts: cluster.accounts.map(({ url }) => url),
  });
  users = await writer.create(2 * plantedFaults.length + 1);
  viewers = await writer.createViewers(4 * plantedFaults.length);
});
Planted.after(async () => {
  writer?.close();
  endReads();
  await cluster?.stop();
  await redis?.stop();
});

type Change = () => Promise<void>;

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
    const [change, changeWatched] = [user, viewer.open].map((one) => writer.changes(one).description) as [
      Change,
      Change,
    ];
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
