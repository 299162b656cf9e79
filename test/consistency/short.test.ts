import * as assert from "uvu/assert";
import { isLong, times } from "../support/long.ts";
import { startStopwatch } from "../support/stopwatch.ts";
import { suite } from "../support/suite.ts";
import { oneRedis, redisCluster, whereRedisIs } from "./check-redis.ts";
import { checkRun, type RunPlan } from "./check-run.ts";
import { startCluster } from "./cluster.ts";
import { redisDisturbances } from "./disturbances.ts";
import { forgetVersions, type PlantedFault, plantedFaults } from "./planted-faults.ts";
import { plantedPlan } from "./planted-plan.ts";
import { startHere } from "./processes.ts";
import type { Verdict } from "./verdict.ts";

const Consistency = suite("consistency");
const plan: RunPlan = {
  // Few in the short form, at intervals, so that they fall before, during and after each disturbance.
  ...(isLong
    ? { reads: 6_000, users: 3, viewers: 6, readers: 24, thinkMs: 2 }
    : { reads: 440, users: 2, viewers: 2, readers: 8, thinkMs: 300 }),
  disturbances: redisDisturbances,
  proxyDelayMs: 3,
  writePauseMs: times(2_000, 1_000),
  endsWhenStale: false,
};

/** The proxies of a Redis Cluster are one for each master: a cut of one gateway's is a cut of one master, so other cuts add nothing. */
function isQuick({ name }: { name: string }): boolean {
  return ["Redis flushed at random", "Redis cut off from one gateway", "Redis killed and restarted"].includes(name);
}

async function run(plan: RunPlan, startRedis?: typeof oneRedis, fault?: PlantedFault): Promise<Verdict> {
  // A fault shows only while Redis is used, so it may answer late on a busy machine.
  const redisTimeoutMs = fault ? 5_000 : 50;
  const cluster = await startCluster({ start: startHere(() => fault), redisTimeoutMs, startRedis });
  try {
    if (fault === "forget to raise a version") await cluster.query(forgetVersions);
    return await checkRun(cluster, plan, () => {});
  } finally {
    await cluster.stop();
  }
}

const test = await whereRedisIs(Consistency);
const clusterPlan = { ...plan, reads: plan.reads / 2, disturbances: redisDisturbances.filter(isQuick) };

for (const [what, startRedis, part] of [
  ["Redis", oneRedis, plan] as const,
  ...(isLong ? [["a Redis Cluster", redisCluster, clusterPlan] as const] : []),
]) {
  test(`shows every acknowledged write, whatever happens to ${what}`, async () => {
    const elapsed = startStopwatch();
    const verdict = await run(part, startRedis);
    console.log(`  ${what}: ${elapsed()}`);
    assert.equal([verdict.stale.slice(0, 5), verdict.nonMonotonic.slice(0, 5)], [[], []]);
    assert.equal([verdict.lost, verdict.failed.slice(0, 5)], [[], []]);
    assert.ok(verdict.reads >= part.reads && verdict.writes > 50);
  });
}

for (const fault of isLong ? plantedFaults : []) {
  test(`detects by chance a cache that is made to ${fault}`, async () => {
    const verdict = await run(plantedPlan(fault), undefined, fault);
    console.log(`  ${fault}: found by ${verdict.reads} reads`);
    assert.ok(verdict.stale.length > 0, `${verdict.reads} reads, ${verdict.writes} writes, none stale`);
  });
}

Consistency.run();
