import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startTestRedis } from "../support/redis.ts";
import { checkRun, type RunPlan, type Verdict } from "./check-run.ts";
import { startCluster } from "./cluster.ts";
import { disturbances } from "./disturbances.ts";
import { type PlantedFault, plantedFaults } from "./planted-faults.ts";
import { startHere } from "./processes.ts";

const Consistency = suite("consistency");
const freshnessMs = 300;
const plan: RunPlan = { reads: 14_000, users: 8, readers: 24, disturbances, freshnessMs };

async function run(reads: number, only: readonly string[], fault?: PlantedFault): Promise<Verdict | undefined> {
  const redis = await startTestRedis();
  if (redis === undefined) return undefined;
  const cluster = await startCluster(redis, startHere(fault), freshnessMs);
  try {
    const chosen = only.length === 0 ? disturbances : disturbances.filter(({ name }) => only.includes(name));
    return await checkRun(cluster, { ...plan, reads, disturbances: chosen }, () => {});
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
  const verdict = (await run(plan.reads, [])) as Verdict;
  assert.equal(verdict.stale.slice(0, 5), []);
  assert.equal(verdict.staleAtRest, []);
  assert.equal(verdict.failed.slice(0, 5), []);
  assert.ok(verdict.reads >= plan.reads && verdict.writes > 100);
});

for (const fault of plantedFaults) {
  test(`finds out a cache that is made to ${fault}`, async () => {
    const verdict = (await run(3_000, ["nothing", "flushed at random"], fault)) as Verdict;
    assert.ok(verdict.stale.length > 0, `${verdict.reads} reads, ${verdict.writes} writes, none stale`);
  });
}

Consistency.run();
