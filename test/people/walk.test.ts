import * as assert from "uvu/assert";
import { recount } from "../../cli/verify/recount.ts";
import { listDrift } from "../social/drift.ts";
import { times } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { createExchange } from "./exchange.ts";
import { beginWalk, walk } from "./walk.ts";
import { startWalkedSystem, type WalkedSystem } from "./walked-system.ts";

// Users act at random by HTTP; in the short form few, so that they still affect each other. A model says what each action must
// answer, and what each reader must see of it in the next read.
const People = suite("users who act at random");
const exchange = createExchange();
const seed = Number(process.env.WALK_SEED ?? Math.floor(Math.random() * 2 ** 32));

People.after(() => exchange.close());

People(`see each other's writes in the next read, and nothing that they may not see (WALK_SEED=${seed})`, async () => {
  const system = await startWalkedSystem(300);
  try {
    const people = await beginWalk(system, exchange, times(8, 50), seed);
    const started = performance.now();
    await walk(people, times(60, 100_000));
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const done = [...people.done].map(([name, count]) => `${name}: ${count}`).toSorted();
    console.log(`\n${seconds} s; ${done.join(", ")}`);
    assert.equal(await driftsOf(system), []);
  } finally {
    await system.stop();
  }
});

People("detect a service that announces nothing", async () => {
  // With tokens that live long, a missing announcement shows however slow the machine is.
  const system = await startWalkedSystem(30_000, (sound) => ({ ...sound, announce: async () => {} }));
  try {
    if (system.redisWire === undefined) return console.log("!! No redis-server on this machine: not tested.");
    const people = await beginWalk({ ...system, redisWire: undefined }, exchange, 5, seed);
    // Tokens are stored from the second read on: a later reader misses the first act.
    for (let round = 0; round < 3; round++) {
      for (const { name } of people.people) {
        for (const path of [`/social/${name}`, `/social/${name}/timelines?take=20`]) {
          for (const gateway of system.gateways) await exchange.ask(gateway, { path });
        }
      }
    }
    const outcome = await walk(people, 1_000).then(
      () => "nothing found",
      (error: Error) => error.message,
    );
    assert.ok(/^action \d+, /.test(outcome), `${outcome} (WALK_SEED=${seed})`);
  } finally {
    await system.stop();
  }
});

/** What `npm run verify` and an independent recount find wrong. */
async function driftsOf(system: WalkedSystem): Promise<unknown[]> {
  const drifts: unknown[] = [];
  await recount(system.clients.verify, (drift) => drifts.push(drift));
  return [...drifts, ...(await listDrift(system.database))];
}

People.run();
