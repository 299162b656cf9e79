import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startTestRedis } from "../support/redis.ts";
import { checkRun, type RunPlan, type Verdict } from "./check-run.ts";
import { startCluster } from "./cluster.ts";
import { disturbances } from "./disturbances.ts";
import { type PlantedFault, plantedFaults, plantedPlan } from "./planted-faults.ts";
import { startHere } from "./processes.ts";

const Consistency = suite("consistency");
const plan: RunPlan = {
  reads: 6_000,
  users: 8,
  readers: 24,
  disturbances,
  wireMs: 3,
  thinkMs: 2,
  writePauseMs: 250,
  freshnessMs: 300,
  endsWhenStale: false,
};

async function run(plan: RunPlan, fault?: PlantedFault): Promise<Verdict> {
  const redis = await startTestRedis();
  if (redis === undefined) throw new Error("there was a redis-server a moment ago");
  // A fault in what Redis holds shows only while Redis is used.
  const settings = { FRESHNESS_MS: `${plan.freshnessMs}`, REDIS_TIMEOUT_MS: fault ? "5000" : "50" };
  const cluster = await startCluster(redis, startHere(fault), settings);
  try {
    return await checkRun(cluster, plan, () => {});
  } finally {
    await cluster.stop();
    await redis.stop();
  }
}

const probe = await startTestRedis();
await probe?.stop();
const test = probe ? Consistency : Consistency.skip;
if (!probe)
  console.log("!! No redis-server on this machine: whether reads are fresh while Redis fails was NOT tested.");

test("shows every acknowledged write, whatever happens to Redis", async () => {
  const verdict = await run(plan);
  assert.equal(verdict.stale.slice(0, 5), []);
  assert.equal(verdict.staleAtRest, []);
  assert.equal(verdict.failed.slice(0, 5), []);
  assert.ok(verdict.reads >= plan.reads && verdict.writes > 100);
});

for (const fault of plantedFaults) {
  test(`finds out a cache that is made to ${fault}`, async () => {
    const verdict = await run(plantedPlan(fault), fault);
    assert.ok(verdict.stale.length > 0, `${verdict.reads} reads, ${verdict.writes} writes, none stale`);
  });
}

Consistency.run();
