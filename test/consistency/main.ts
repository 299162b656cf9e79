// `npm run consistency -- --reads N [--homes] [--cluster] [--citus] [--only WORD]`: N reads of a system of several processes, with two
// writers for each change, while its Redis or Redis Cluster, its processes and the servers of its Citus cluster are disturbed, or only those
// that WORD names; then each planted fault, which must be found. With --homes of home timelines alone, whose planted faults are in the tests.
import { readCommandLine, refuse } from "../../bench/command-line.ts";
import { openCluster } from "../support/citus.ts";
import { launchProcess } from "../support/launch.ts";
import { oneRedis, redisCluster } from "./check-redis.ts";
import { checkRun, type RunPlan } from "./check-run.ts";
import { citusServers, postgresServer } from "./check-servers.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { citusDisturbances, postgresDisturbances, processDisturbances, redisDisturbances } from "./disturbances.ts";
import { checkHomes, describeHomes } from "./homes/check-homes.ts";
import { rareThings } from "./homes/planted-faults.ts";
import { forgetVersions, plantedFaults } from "./planted-faults.ts";
import { plantedPlan } from "./planted-plan.ts";
import { type StartProcess, startHere } from "./processes.ts";
import { describe, type Verdict } from "./verdict.ts";

const help = `usage: npm run consistency -- [--reads N] [--homes] [--cluster] [--citus] [--only WORD]

Reads a system of several processes, with two writers for each change, while it is disturbed, and reports replies that are
stale; then once more with each planted fault, which must be found. Needs a redis-server on the path.
  --reads N    the number of reads, 100000 by default
  --homes      home timelines of 20 people who follow, mute and block each other, by pages and by polls, without planted faults
  --cluster    with a Redis Cluster instead of one Redis
  --citus      with a Citus cluster instead of one Postgres, whose servers are killed as well; needs ../shared/citus, as root
  --only WORD  only the disturbances whose name contains WORD

  npm run consistency -- --reads 20000
  npm run consistency -- --reads 20000 --cluster --citus`;
const { values } = readCommandLine(help, {
  options: {
    reads: { type: "string", default: "100000" },
    homes: { type: "boolean", default: false },
    cluster: { type: "boolean", default: false },
    citus: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const reads = Number(values.reads);
if (!Number.isSafeInteger(reads) || reads < 1) refuse(help, "--reads must be a whole number from 1.");
const possible = [
  ...redisDisturbances,
  ...processDisturbances,
  ...(values.citus ? citusDisturbances : postgresDisturbances),
];
const disturbances = possible.filter(({ name }) => name.includes(values.only));
if (disturbances.length === 0)
  refuse(help, `WORD must occur in one of: ${possible.map(({ name }) => name).join(", ")}.`);
const citus = values.citus ? await openCluster() : undefined;
if (values.citus && citus === undefined) process.exit(1);

if (values.homes) {
  const plan = { reads, people: 20, readers: 16, disturbances, endsWhenWrong: false };
  const verdict = await inCluster("sound", launchProcess, async (cluster) => {
    // Triggers are not possible on Citus.
    if (citus === undefined) await cluster.query(rareThings);
    return checkHomes(cluster, plan, (line) => console.log(`  ${line}`));
  });
  console.log(`homes: ${describeHomes(verdict)}`);
  const { stale, missing, double, failed } = verdict;
  end(reportFaults({ stale, missing, double, failed }));
}

const sound = await run("sound", launchProcess, {
  reads,
  users: 16,
  viewers: 6,
  // Many, since most of them wait while Redis is unavailable.
  readers: 384,
  disturbances,
  proxyDelayMs: 3,
  thinkMs: 2,
  writePauseMs: 3_000,
  endsWhenStale: false,
});
const { stale, nonMonotonic, lost, failed } = sound;
let isPassed = reportFaults({ stale, nonMonotonic, lost, failed });
for (const fault of plantedFaults) {
  const planted = await run(
    `planted: ${fault}`,
    startHere(() => fault),
    plantedPlan(fault),
  );
  isPassed &&= planted.stale.length > 0;
}
end(isPassed);

/** Prints the first faults of each kind; returns whether there are none. */
function reportFaults(kinds: Record<string, string[]>): boolean {
  const all = Object.entries(kinds).flatMap(([kind, lines]) => lines.slice(0, 10).map((line) => `${kind}: ${line}`));
  for (const line of all) console.log(line);
  return all.length === 0;
}

function end(isGood: boolean): never {
  citus?.stop();
  process.exit(isGood ? 0 : 1);
}

async function run(name: string, start: StartProcess, plan: RunPlan): Promise<Verdict> {
  return inCluster(name, start, async (cluster) => {
    if (name.endsWith("forget to raise a version")) await cluster.query(forgetVersions);
    const verdict = await checkRun(cluster, plan, (line) => console.log(`  ${line}`));
    console.log(`${name}: ${describe(verdict)}`);
    return verdict;
  });
}

/** Runs `check` in a system of its own. */
async function inCluster<T>(name: string, start: StartProcess, check: (cluster: Cluster) => Promise<T>): Promise<T> {
  const isSound = name === "sound";
  // Triggers are not possible on Citus, so faults are planted on one Postgres.
  const servers = await (citus && isSound ? citusServers(citus) : postgresServer());
  const startRedis = values.cluster && isSound ? redisCluster : oneRedis;
  // A fault shows only while Redis is used, so it may answer late on a busy machine.
  const cluster = await startCluster({ start, redisTimeoutMs: isSound ? 500 : 5_000, startRedis, servers });
  try {
    return await check(cluster);
  } finally {
    console.log(`${name}: ${servers.kills()} servers killed`);
    await cluster.stop();
  }
}
