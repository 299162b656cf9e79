import * as assert from "uvu/assert";
import { times } from "../../support/long.ts";
import { suite } from "../../support/suite.ts";
import { whereRedisIs } from "../check-redis.ts";
import { startCluster } from "../cluster.ts";
import { redisDisturbances } from "../disturbances.ts";
import { startHere } from "../processes.ts";
import { checkHomes, describeHomes, type HomesPlan } from "./check-homes.ts";
import { type HomeFault, homeFaults, rareThings, whilePlanted } from "./planted-faults.ts";

const Homes = suite("consistency of homes");
const test = await whereRedisIs(Homes);

async function run(plan: HomesPlan) {
  const cluster = await startCluster({ start: startHere(() => undefined), redisTimeoutMs: 500 });
  try {
    await cluster.query(rareThings);
    return await checkHomes(cluster, plan, () => {});
  } finally {
    await cluster.stop();
  }
}

const sound: HomesPlan = {
  reads: times(400, 20_000),
  // More than a page of one status looks at, so that homes are read from the newest authors alone.
  people: 14,
  readers: 4,
  disturbances: redisDisturbances,
  endsWhenWrong: false,
};

test("shows and gives every status once while everybody publishes, deletes, follows, mutes and blocks", async () => {
  const verdict = await run(sound);
  console.log(`  ${describeHomes(verdict)}`);
  const { stale, missing, double, failed } = verdict;
  assert.equal(
    [stale, missing, double, failed].map((lines) => lines.slice(0, 3)),
    [[], [], [], []],
  );
  assert.ok(verdict.acts > 100);
});

const undisturbed = redisDisturbances.filter(({ name }) => name === "nothing");

for (const fault of Object.keys(homeFaults) as HomeFault[]) {
  test(`is found wrong where homes ${fault}`, async () => {
    const plan = { ...sound, reads: 3_000, readers: 2, disturbances: undisturbed, endsWhenWrong: true };
    const verdict = await whilePlanted(fault, () => run(plan));
    console.log(`  ${fault}: ${describeHomes(verdict)}`);
    assert.ok(verdict.stale.length + verdict.missing.length + verdict.double.length > 0);
  });
}

Homes.run();
