// `npm run consistency -- --reads N [--cluster]`: N reads of a system in processes of their own while its Redis, or its Redis
// Cluster, is disturbed; then each planted fault, which has to be found.
import { parseArgs } from "node:util";
import { oneRedis, redisCluster } from "./check-redis.ts";
import { checkRun, type RunPlan, type Verdict } from "./check-run.ts";
import { startCluster } from "./cluster.ts";
import { disturbances } from "./disturbances.ts";
import { plantedFaults, plantedPlan } from "./planted-faults.ts";
import { type StartProcess, startApart, startHere } from "./processes.ts";

const { values } = parseArgs({
  options: { reads: { type: "string", default: "100000" }, cluster: { type: "boolean", default: false } },
});
const reads = Number(values.reads);
if (!Number.isSafeInteger(reads) || reads < 1) {
  console.error("usage: npm run consistency -- --reads N [--cluster]");
  process.exit(2);
}
const freshnessMs = 1_000;

const sound = await run("sound", startApart, {
  reads,
  users: 16,
  readers: 128,
  disturbances,
  wireMs: 3,
  thinkMs: 2,
  writePauseMs: 250,
  freshnessMs,
  endsWhenStale: false,
});
for (const line of [...sound.stale, ...sound.staleAtRest, ...sound.failed].slice(0, 20)) console.log(line);
let isGood = sound.stale.length + sound.staleAtRest.length + sound.failed.length === 0;
for (const fault of plantedFaults) {
  const { stale } = await run(`planted: ${fault}`, startHere(fault), plantedPlan(fault));
  isGood &&= stale.length > 0;
}
process.exitCode = isGood ? 0 : 1;

async function run(name: string, start: StartProcess, plan: RunPlan): Promise<Verdict> {
  const redis = await (values.cluster && name === "sound" ? redisCluster() : oneRedis());
  if (redis === undefined) throw new Error("There is no redis-server on this machine");
  // A planted fault shows only while Redis is used.
  const settings = { FRESHNESS_MS: `${plan.freshnessMs}`, REDIS_TIMEOUT_MS: name === "sound" ? "50" : "5000" };
  const cluster = await startCluster(redis, start, settings);
  try {
    const verdict = await checkRun(cluster, plan, (line) => console.log(`  ${line}`));
    const { reads, writes, stale, staleAtRest, failed } = verdict;
    console.log(
      `${name}: ${reads} reads, ${writes} writes, ${stale.length} stale, ${staleAtRest.length} stale at rest, ${failed.length} failed`,
    );
    return verdict;
  } finally {
    await cluster.stop();
    await redis.stop();
  }
}
